/** A run uses each name once: `A.b (2)` is the second try of `A.b`. */
export function withoutTry(goal: string): string {
  return goal.replace(/ \(\d+\)$/, '');
}

/** `File.lean: A.b#2 (3)` is a goal of `A.b`. */
export function declarationIn(goal: string): string {
  return withoutTry(goal)
    .replace(/^.*\.lean: /, '')
    .replace(/#\d+$/, '');
}
