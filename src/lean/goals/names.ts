/** The names that goals of several files go by in one run: their own, and with the file where another file had it first. */
export class GoalNames {
  readonly #owners = new Map<string, string>();

  nameIn(file: string, id: string): string {
    const owner = this.#owners.get(id) ?? file;
    this.#owners.set(id, owner);
    return owner === file ? id : `${file}: ${id}`;
  }
}
