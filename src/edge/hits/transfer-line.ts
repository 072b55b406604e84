import type { SentConnection, SentSoFar } from '../../ports/traffic/sent-bytes.ts'

export interface Transfer {
  readonly count: (bytes: number) => void
  leftBytes: number
}

/** The transfers of one connection, in the order they were asked for. */
export interface TransferLine extends Disposable {
  readonly id: string
  readonly isEmpty: boolean
  add(transfer: Transfer): void
  /** Counts what has left by now. */
  update(): void
  /** No more of the transfer counts than has left by now. */
  breakOff(transfer: Transfer): void
  /** As `update`, in regular turns: a connection of which nothing is told for some is done with. */
  tick(): void
  /** Counts what is to be counted at the last. */
  finish(): void
}

/**
 * What a connection had sent when it closed, and that its request was broken off, may be told a moment
 * later than that it is gone. What is told of neither by then was sent to its end.
 */
const ticksUntilSent = 2

/** What is on the connection already, also what waits there, is nothing of these transfers. */
export function createTransferLine(connection: SentConnection, first: SentSoFar): TransferLine {
  const transfers = new Set<Transfer>()
  const brokenOff = new Set<Transfer>()
  let countedBytes = first.sentBytes + first.waitingBytes
  let ticksGone = 0

  /** Earlier answers are sent first; HTTP/2 mixes them, and then the sum is right. */
  function count(sentBytes: number): void {
    let unassigned = sentBytes - countedBytes
    if (unassigned <= 0) return
    countedBytes = sentBytes
    for (const transfer of transfers) {
      const bytes = Math.min(unassigned, transfer.leftBytes)
      if (bytes > 0) transfer.count(bytes)
      transfer.leftBytes -= bytes
      unassigned -= bytes
      if (transfer.leftBytes > 0) return
      transfers.delete(transfer)
    }
  }

  /** Answers whether anything is told of the connection. */
  function update(): boolean {
    const told = connection.measure()
    if (told === undefined) return false
    count(told.sentBytes)
    for (const transfer of told.isOpen ? brokenOff : transfers) transfers.delete(transfer)
    brokenOff.clear()
    return true
  }

  function countRest(): void {
    for (const transfer of transfers)
      if (!brokenOff.has(transfer)) transfer.count(transfer.leftBytes)
    transfers.clear()
  }

  return {
    id: connection.id,
    get isEmpty() {
      return transfers.size === 0
    },
    add: (transfer) => void transfers.add(transfer),
    update: () => void update(),
    breakOff(transfer) {
      brokenOff.add(transfer)
      update()
    },
    tick() {
      ticksGone = update() ? 0 : ticksGone + 1
      if (ticksGone > ticksUntilSent) countRest()
    },
    finish() {
      if (!update()) countRest()
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  }
}
