/** Make a submit handler that runs *work* instead of sending the form. */
export const onSubmit =
  (work: () => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    work();
  };

/** Whether a key press belongs to a text field or to a shortcut of the browser. */
export function isTyping(event: KeyboardEvent): boolean {
  const { tagName } = event.target as HTMLElement;
  return event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(tagName);
}

/** Open a dialog modally as soon as it is in the page. */
export const showModal = (dialog: HTMLDialogElement): void => dialog.showModal();
