// Appended to a copy of the report by test-report.c: writes what the browser made of the page into
// it, a line for each fact, for --dump-dom to print.
addEventListener("load", () => {
    const facts = [];
    const ids = new Set();
    for (const element of document.querySelectorAll("[id]")) {
        if (ids.has(element.id))
            facts.push("twice " + element.id);
        ids.add(element.id);
    }
    if (document.documentElement.scrollWidth > innerWidth)
        facts.push("wide " + document.documentElement.scrollWidth);
    const overlap = (a, b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    for (const svg of document.querySelectorAll("figure svg[role=img], article svg[role=img]")) {
        const figure = svg.closest("figure");
        const name = (figure?.id ?? "verdict") + "/" + svg.getAttribute("aria-label");
        const box = svg.getBoundingClientRect();
        const shapes = svg.querySelectorAll("path, polyline, polygon, line").length;
        if (figure)
            facts.push(`plot ${Math.round(box.width)} ${Math.round(box.height)} ${shapes} ${name}`);
        else
            facts.push("verdict " + svg.querySelectorAll("rect").length);
        const texts = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim());
        const boxes = texts.map(text => text.getBoundingClientRect());
        boxes.forEach((of, i) => {
            if (of.left < box.left - 1 || of.right > box.right + 1 || of.top < box.top - 1 ||
                of.bottom > box.bottom + 1)
                facts.push(`cut ${texts[i].textContent} in ${name}`);
            for (let k = i + 1; k < boxes.length; k++) {
                if (overlap(of, boxes[k]))
                    facts.push(`over ${texts[i].textContent} and ${texts[k].textContent} in ${name}`);
            }
        });
    }
    for (const figure of document.querySelectorAll("figure"))
        facts.push("figure " + figure.id);
    const list = document.createElement("pre");
    list.id = "facts";
    list.textContent = "FACTS\n" + facts.join("\n") + "\nEND OF FACTS\n";
    document.body.append(list);
});
