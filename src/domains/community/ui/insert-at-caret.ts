/** Writes into a field where its caret is, as if it was typed, and lets the person go on there. */
export function insertAtCaret(
  field: HTMLTextAreaElement | null,
  text: string,
  onChange: (value: string) => void,
): void {
  if (!field) return
  field.focus()
  // Deprecated, but the one way that keeps what can be undone.
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  onChange(field.value)
}
