// Stands in index.html itself (tools/first-load.ts), so that it runs although no other file came: it says why nothing is
// shown yet, and loads the page again when the server answers. The policy names its hash. Browsers that are too old for
// the console run it, too.
(function () {
  var LONG_MS = 8000;
  var WAITING_MS = 1500;
  var LONGEST_WAIT_MS = 10000;
  var LONGEST_PAUSE_MS = 60000;
  var TRIES = "postern-starts"; // how often the page was loaded again without a start; main.tsx removes it
  var TEXTS = {
    en: {
      loading: "Postern is being loaded…",
      slow: "Postern is being loaded. It takes longer than it should: your network may be slow.",
      missing: "Files of Postern did not come. The page tries again until they do.",
      broken: "Postern could not start. Load it again. If that does not help, update your browser.",
      again: "Load again",
    },
    ru: {
      loading: "Postern загружается…",
      slow: "Postern загружается дольше, чем нужно: возможно, сеть медленная.",
      missing: "Файлы Postern не загрузились. Страница пробует снова, пока они не придут.",
      broken: "Postern не смог запуститься. Загрузите его заново. Если не поможет, обновите браузер.",
      again: "Загрузить заново",
    },
  };
  var failed = false;

  function stored(store, key) {
    try {
      return window[store].getItem(key);
    } catch {
      return null;
    }
  }

  function texts() {
    return (
      TEXTS[(stored("localStorage", "postern-console-language") || navigator.language).slice(0, 2)] ||
      TEXTS.en
    );
  }

  // Shows a text where the console is going to be; once it is there, nothing.
  function say(name) {
    var place = document.getElementById("starting");
    if (!place) return;
    place.textContent = texts()[name];
    if (name === "loading") return;
    var link = document.createElement("a");
    link.href = "";
    link.textContent = texts().again;
    place.append(document.createElement("br"), link);
  }

  function whenAnswered(wait, next) {
    setTimeout(function () {
      fetch("/health", { cache: "no-store" })
        .then(function (answer) {
          return answer.ok;
        })
        .catch(function () {
          return false;
        })
        .then(function (ok) {
          if (ok) next();
          else whenAnswered(Math.min(2 * wait, LONGEST_WAIT_MS), next);
        });
    }, wait);
  }

  // Each time that the page is loaded in vain, it waits longer: the server may answer and still lack a file.
  function loadAgain() {
    var tries = Number(stored("sessionStorage", TRIES)) || 0;
    whenAnswered(Math.min(500 * Math.pow(2, tries), LONGEST_PAUSE_MS), function () {
      try {
        sessionStorage.setItem(TRIES, String(tries + 1));
      } catch {
        return; // nothing would count the tries, so the person decides
      }
      location.reload();
    });
  }

  addEventListener(
    "error",
    function (event) {
      if (failed || (document.body && !document.getElementById("starting"))) return;
      var element = event.target;
      var isFile =
        element instanceof HTMLScriptElement ||
        (element instanceof HTMLLinkElement && element.rel === "stylesheet");
      if (!isFile && element !== window) return;
      failed = true;
      if (document.readyState === "loading") {
        document.addEventListener("DOMContentLoaded", function () {
          say(isFile ? "missing" : "broken");
        });
      } else say(isFile ? "missing" : "broken");
      if (isFile) loadAgain();
    },
    true,
  );
  setTimeout(function () {
    if (!failed) say("loading");
  }, WAITING_MS);
  setTimeout(function () {
    if (!failed) say("slow");
  }, LONG_MS);
})();
