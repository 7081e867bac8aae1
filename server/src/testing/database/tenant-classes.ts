/** Which tenants are known to be the same in a query, by name of what has them, and which of them the caller gave. */
export class TenantClasses {
  readonly #parents = new Map<string, string>();
  readonly #given = new Set<string>();

  /** The one that stands for all that are known to be the same as this one. */
  find(name: string): string {
    const parent = this.#parents.get(name) ?? name;
    return parent === name ? name : this.find(parent);
  }

  unite(one: string, other: string): void {
    const [root, next] = [this.find(one), this.find(other)];
    if (root === next) return;
    this.#parents.set(next, root);
    if (this.#given.has(next)) this.#given.add(root);
  }

  /** Nothing was said of it yet. */
  isAlone(name: string): boolean {
    return !this.#parents.has(name) && ![...this.#parents.values()].includes(name) && !this.isGiven(name);
  }

  give(name: string): void {
    this.#given.add(this.find(name));
  }

  isGiven(name: string): boolean {
    return this.#given.has(this.find(name));
  }
}
