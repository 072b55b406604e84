/** What the control plane remembers of an edge. */
export interface EdgeRecord {
  readonly name: string
  /** The newest number of the feed it is known to serve. */
  readonly seq: number
  /** When it was first known to. */
  readonly since: Date
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
  /** The edge it gets everything from, where that is not the origin. */
  readonly via: string | undefined
}

/** Edges by name. Written often and of little weight: nothing waits for it. */
export interface EdgeStore {
  /** Replaces what is kept under the same names. */
  save(edges: readonly EdgeRecord[]): Promise<void>
  /** By name. */
  list(): Promise<readonly EdgeRecord[]>
  forget(name: string): Promise<void>
}
