/** Windows that ask something, over the page; each gives the focus back where it was. */

import { button, type Child, field, h } from "../dom";

/** Open a dialog; what closes it says what was chosen, "" that nothing was. */
export function show(title: string, choices: HTMLElement[], ...content: Child[]): Promise<string> {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id }, title),
    ...content,
    h("div.choices", ...choices),
  );
  const dialog = h("dialog", { "aria-labelledby": id }, form);
  const before = document.activeElement;
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
  return new Promise((resolve) => {
    // The event `close` comes later than the next key: what it would do is done at once.
    const end = (answer: string) => {
      if (!dialog.isConnected) return;
      dialog.close(answer);
      dialog.remove();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
      resolve(answer);
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { submitter } = event;
      end(submitter instanceof HTMLButtonElement ? submitter.value : "");
    });
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      end("");
    });
    dialog.addEventListener("close", () => end(""));
  });
}

/** Further choices behind a button; one of them, Escape or a click elsewhere closes them. */
export function menu(label: string, choices: () => Child[]): HTMLElement {
  const list = h("div.menu", { popover: "auto" });
  const opener = button("⋯", () => {}, { class: "more", "aria-label": label });
  opener.popoverTargetElement = list;
  list.addEventListener("beforetoggle", (event) => {
    if ((event as ToggleEvent).newState !== "open") return;
    list.replaceChildren(h("div.choices", ...choices()));
    const { top, bottom, right } = opener.getBoundingClientRect();
    const isLow = bottom > innerHeight / 2;
    list.style.top = isLow ? "auto" : `${bottom + scrollY}px`;
    list.style.bottom = isLow ? `${innerHeight - top - scrollY}px` : "auto";
    list.style.right = `${document.documentElement.clientWidth - right}px`;
  });
  // Before what is chosen opens a dialog, which gives the focus back to where it was.
  list.addEventListener("click", () => list.hidePopover(), { capture: true });
  return h("span", opener, list);
}

/** A button that closes a dialog with an answer. */
export function choice(text: string, value: string, isMain = false): HTMLButtonElement {
  return h(
    "button",
    { type: "submit", value, class: isMain ? "main" : null, autofocus: isMain },
    text,
  );
}

/** Ask something that is done or not; a text may stand for the paragraph with it. */
export async function confirmed(
  title: string,
  about: string | Child[],
  does: string,
): Promise<boolean> {
  const content = typeof about === "string" ? [h("p", about)] : about;
  return (await show(title, [choice(does, "yes", true), cancel()], ...content)) === "yes";
}

/** A text that is asked for; undefined if it is not given. */
export async function asked(
  title: string,
  label: string,
  value: string,
  note: string,
): Promise<string | undefined> {
  const box = h("textarea", { rows: 4, maxlength: 2000, autofocus: true }, value);
  const main = choice("Save", "yes", true);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    main.click();
  });
  return (await show(title, [main, cancel()], field(label, box), h("p.note", note)))
    ? box.value
    : undefined;
}

function cancel(): HTMLButtonElement {
  return h("button", { type: "submit", value: "", formnovalidate: true }, "Cancel");
}
