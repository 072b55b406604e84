/**
 * Tells the system which of the listeners that share a port new connections go to. Without it they are
 * spread over all of them, and those that wait for one that is closed are cut off.
 */
export interface PortSteering {
  /**
   * Listeners are counted in the order they were opened. Where there is none at a place, it is as if
   * nothing had been said. Returns whether the system took it.
   */
  steer(port: number, places: ListenerPlaces): boolean
  /** From now on they go to any of them again. */
  release(port: number): boolean
}

/** `count` of them, from `from` on. */
export interface ListenerPlaces {
  readonly from: number
  readonly count: number
}
