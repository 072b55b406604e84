/** So many groups are remembered; older ones are packed anew where somebody still asks. */
const maxGroups = 256

interface Step {
  readonly after: string | undefined
  readonly packPaths: readonly string[]
}

/** Which packs brought the newest commits, so that they can be handed on as they lie on disk. */
export class RecentPacks {
  readonly #steps = new Map<string, Step>()
  #waiting: string[] = []

  /** A pack whose objects belong to a commit that is still to come. */
  added(packPath: string): void {
    this.#waiting.push(packPath)
  }

  removed(packPath: string): void {
    this.#waiting = this.#waiting.filter((path) => path !== packPath)
  }

  /** Everything added since the last step belongs to this one. */
  stepped(after: string | undefined, commitId: string): void {
    this.#steps.set(commitId, { after, packPaths: this.#waiting })
    this.#waiting = []
    const [oldest] = this.#steps.keys()
    if (this.#steps.size > maxGroups && oldest !== undefined) this.#steps.delete(oldest)
  }

  /** Commits have other ids, and lie in other packs. */
  forget(): void {
    this.#steps.clear()
    this.#waiting = []
  }

  /** The packs that lead from one commit to the other, oldest first; `undefined` where that is not known. */
  between(after: string | undefined, commitId: string): readonly string[] | undefined {
    const packPaths: string[] = []
    for (let id: string | undefined = commitId; id !== after;) {
      const step: Step | undefined = id === undefined ? undefined : this.#steps.get(id)
      if (step === undefined) return undefined
      packPaths.unshift(...step.packPaths)
      id = step.after
    }
    return packPaths
  }
}
