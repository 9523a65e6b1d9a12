/** Waits, but not longer than until the browser says that the network is back. */
export function waitOrOnline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds * (0.75 + Math.random() / 2));
    window.addEventListener("online", done);
  });
}
