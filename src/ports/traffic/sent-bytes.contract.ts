import { expect, test } from 'bun:test'
import { setTimeout as wait } from 'node:timers/promises'

import type { ConnectionEnds, SentBytes } from './sent-bytes.ts'

export interface SentBytesUnderTest extends AsyncDisposable {
  readonly sentBytes: SentBytes
  /** Connects a client that reads all that it is sent; resolves once it has. */
  connect(): Promise<ConnectedClient>
}

interface ConnectedClient {
  readonly ends: ConnectionEnds
  receive(bytes: number): Promise<void>
  /** Resolves once both sides are closed. */
  close(): Promise<void>
}

export function sentBytesContract(name: string, open: () => Promise<SentBytesUnderTest>): void {
  test(`${name}: tells how much was sent over a connection, and no less than that was received`, async () => {
    await using given = await open()
    const client = await given.connect()
    const connection = given.sentBytes.connection(client.ends)
    const before = connection?.measure()?.sentBytes ?? Number.NaN
    await client.receive(1_000_000)
    expect(connection?.measure()?.sentBytes).toBe(before + 1_000_000)
    expect(connection?.measure()?.waitingBytes).toBe(0)
  })

  test(`${name}: names a connection alike whenever it is asked for, and others otherwise`, async () => {
    await using given = await open()
    const [one, other] = [await given.connect(), await given.connect()]
    const idOf = ({ ends }: ConnectedClient) => given.sentBytes.connection(ends)?.id
    expect(idOf(one)).toBe(idOf(one) ?? '')
    expect(idOf(other)).not.toBe(idOf(one))
    await other.receive(5_000)
    expect(given.sentBytes.connection(one.ends)?.measure()?.sentBytes).toBe(0)
  })

  test(`${name}: what a closed connection had sent is told, but it is not there any more`, async () => {
    await using given = await open()
    const client = await given.connect()
    const connection = given.sentBytes.connection(client.ends)
    await client.receive(300_000)
    const sentBytes = connection?.measure()?.sentBytes
    await client.close()
    while (connection?.measure() === undefined) await wait(1)
    expect(connection.measure()).toEqual({
      sentBytes: sentBytes ?? 0,
      waitingBytes: 0,
      isOpen: false,
    })
    expect(given.sentBytes.connection(client.ends)).toBeUndefined()
  })

  test(`${name}: nothing is told of ends that no connection has`, async () => {
    await using given = await open()
    const { ends } = await given.connect()
    for (const wrong of [
      { peerPort: 1 },
      { localPort: 1 },
      { peerAddress: '203.0.113.9' },
      { peerAddress: '2001:db8::1' },
      { peerAddress: 'nowhere' },
    ])
      expect(given.sentBytes.connection({ ...ends, socket: undefined, ...wrong })).toBeUndefined()
  })
}
