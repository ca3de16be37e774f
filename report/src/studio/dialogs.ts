/** Windows that ask something, over the page; each gives the focus back where it was. */

import { type Child, h } from "../dom";

/** Open a dialog; what closes it says what was chosen, "" that nothing was. */
export function show(title: string, choices: HTMLElement[], ...content: Child[]): Promise<string> {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id }, title),
    ...content,
    h("div", { class: "choices" }, ...choices),
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

/** Close the menu in which something was chosen; the focus goes to what opens it. */
export function closeMenu(): void {
  const menu = document.querySelector("details.menu[open]");
  menu?.removeAttribute("open");
  menu?.querySelector<HTMLElement>("summary")?.focus({ preventScroll: true });
}

/** A button that closes a dialog with an answer. */
export function choice(text: string, value: string, isMain = false): HTMLButtonElement {
  return h(
    "button",
    { type: "submit", value, class: isMain ? "main" : null, autofocus: isMain },
    text,
  );
}

export async function confirmed(title: string, text: string, does: string): Promise<boolean> {
  const choices = [choice(does, "yes", true), cancel()];
  return (await show(title, choices, h("p", {}, text))) === "yes";
}

/** A text that is asked for; undefined if it is not given. */
export async function asked(
  title: string,
  label: string,
  value: string,
  { does = "Save", isLong = false, note = "" } = {},
): Promise<string | undefined> {
  const box = isLong ? h("textarea", { rows: 4, maxlength: 2000 }) : h("input", { type: "text" });
  box.value = value;
  box.autofocus = true;
  const main = h("button", { type: "submit", value: "yes", class: "main" }, does);
  if (isLong)
    box.addEventListener("keydown", (event) => {
      const { key, shiftKey } = event as KeyboardEvent;
      if (key !== "Enter" || shiftKey) return;
      event.preventDefault();
      main.click();
    });
  const field = h("label", { class: "control" }, h("span", {}, label), box);
  const answer = await show(
    title,
    [main, cancel()],
    field,
    note && h("p", { class: "note" }, note),
  );
  return answer === "yes" ? box.value : undefined;
}

function cancel(): HTMLButtonElement {
  return h("button", { type: "submit", value: "", formnovalidate: true }, "Cancel");
}
