/** Control characters and invisible ones that turn the direction of text; line breaks and tabs stay. */
const unprintable = /[^\P{Control}\n\t]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text for a terminal or a log of CI that may quote foreign input: nothing in it moves the cursor or reorders the line. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, '�');
}
