// A panel beside the editor: queries to begin with, by area. Each opens in a tab of its own.
"use strict";

postern.examples = (list) => {
  const h = React.createElement;
  const { useEditorContext, usePluginContext } = GraphiQL.React;
  const narrow = matchMedia("(max-width: 700px)"); // as in page.css: a panel hides the editor there

  function Icon() {
    const lines = h("path", { d: "M4 3h12v14H4zM7 7h6M7 10h6M7 13h4", fill: "none", stroke: "currentColor", strokeWidth: 1.5 });
    return h("svg", { viewBox: "0 0 20 20", width: "1em", height: "1em", "aria-hidden": true }, lines);
  }

  function Content() {
    const { activeTabIndex, addTab, changeTab, queryEditor, variableEditor, tabs } = useEditorContext({ nonNull: true });
    const { setVisiblePlugin } = usePluginContext({ nonNull: true });
    const waiting = React.useRef(null); // an example, and the place of the tab that it waits for

    function write({ query, variables }) {
      queryEditor.setValue(query);
      variableEditor?.setValue(variables);
      if (variables) document.querySelector("[aria-label='Show editor tools']")?.click();
      show();
    }

    // The editor, where Ctrl-Enter is heard. Not before it has its text: what writes it belongs to this panel.
    function show() {
      if (narrow.matches) setVisiblePlugin(null);
      queryEditor.focus();
    }

    function open(example) {
      const there = queryEditor.getValue().trim();
      if (waiting.current?.query === example.query) return; // a double click; the tabs learn of it later
      if (there === example.query) return show();
      const place = tabs.findIndex((tab) => tab.query?.trim() === example.query);
      if (place >= 0) {
        changeTab(place);
        show();
      } else if (!there) {
        write(example);
      } else {
        // Not within the click: React would put the new tab before changes that wait, and then make it a second time,
        // after our text is there.
        waiting.current = { ...example, place: tabs.length };
        setTimeout(addTab);
      }
    }

    React.useEffect(() => {
      if (waiting.current?.place === activeTabIndex) write(waiting.current);
      waiting.current = null;
    }, [activeTabIndex]);

    const areas = [...new Set(list.map(({ area }) => area))];
    return h(
      "section",
      { className: "examples", "aria-label": "Examples" },
      h("h2", { className: "graphiql-doc-explorer-title" }, "Examples"),
      areas.map((area) =>
        h(
          "div",
          { key: area },
          h("h3", null, area),
          h(
            "ul",
            null,
            list
              .filter((example) => example.area === area)
              .map((example) =>
                h(
                  "li",
                  { key: example.title },
                  h("button", { type: "button", onClick: () => open(example) }, example.title),
                ),
              ),
          ),
        ),
      ),
    );
  }

  return { title: "Examples", icon: Icon, content: Content };
};
