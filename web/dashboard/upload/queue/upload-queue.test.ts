import { expect, test } from 'bun:test'

import { maxFileBytes as serviceMaxFileBytes } from '../../../../src/planes/storage/schemas.ts'
import { maxRequestBytes } from './upload-item.ts'
import { createUploadQueue, type UploadQueue } from './upload-queue.ts'
import {
  ConnectionLost,
  type Upload,
  UploadCancelled,
  UploadRefused,
  type UploadWorld,
} from './upload-world.ts'

const sha256 = async (file: Blob) =>
  new Bun.CryptoHasher('sha256').update(await file.arrayBuffer()).digest('hex')

/** A service that keeps what it is sent, and does what a test says first. */
function createWorld(stored: ReadonlyMap<string, string> = new Map()) {
  const kept = new Map(stored)
  const batchSizes: number[] = []
  const dropped: string[] = []
  /** Refused among others. */
  const refusedPaths = new Set<string>()
  const faults: (Error | 'lost after it was stored')[] = []
  const keep = async (uploads: readonly Upload[]) => {
    const fault = faults.shift()
    if (fault instanceof Error) throw fault
    for (const { path, replaces } of uploads)
      if (!replaces && uploads.length === 1 && kept.has(path))
        throw new UploadRefused(412, 'is there')
    for (const { path, file } of uploads) kept.set(path, await sha256(file))
    if (fault !== undefined) throw new ConnectionLost()
  }
  const world: UploadWorld = {
    hash: sha256,
    faultOf: async ({ size }) => (size > maxRequestBytes ? 'Too large' : undefined),
    list: async (directory) => new Map([...kept].filter(([path]) => path.startsWith(directory))),
    put: (upload) => keep([upload]),
    putAll: async (uploads) => {
      batchSizes.push(uploads.length)
      await keep(uploads.filter(({ path }) => !refusedPaths.has(path)))
      return new Set(refusedPaths)
    },
    reconnect: async () => {},
    drop: async (id) => void dropped.push(id),
    now: () => 0,
  }
  return { world, kept, batchSizes, faults, dropped, refusedPaths }
}

async function settled(queue: UploadQueue, states: readonly string[]): Promise<void> {
  const seen = () => queue.snapshot().items.map(({ state }) => state)
  await new Promise<void>((resolve) => {
    const look = () => {
      if (JSON.stringify(seen()) === JSON.stringify(states)) resolve()
    }
    queue.subscribe(look)
    look()
  })
}

const text = (path: string, content: string) => ({ path, file: new Blob([content]) })
const large = (path: string) => ({ path, file: new Blob([new Uint8Array(300_000)]) })

test('many small files go in batches of 250, large ones by themselves', async () => {
  const { world, kept, batchSizes } = createWorld()
  const queue = createUploadQueue(world)
  const small = Array.from({ length: 600 }, (_, index) =>
    text(`z/v1/icons/${index}.svg`, `${index}`),
  )
  queue.add([large('z/v1/banners/a.jpg'), ...small])
  await settled(
    queue,
    Array.from({ length: 601 }, () => 'live'),
  )

  expect(kept.size).toBe(601)
  // Of the first 250 that were looked at one is large.
  expect(batchSizes.toSorted((a, b) => a - b)).toEqual([101, 249, 250])
})

test('the first files are sent before the last are looked at', async () => {
  const { world, kept } = createWorld()
  let lookedAt = 0
  const lookedAtWhenSent: number[] = []
  const queue = createUploadQueue({
    ...world,
    faultOf: async (file) => {
      lookedAt += 1
      return await world.faultOf(file)
    },
    putAll: async (uploads, sending) => {
      lookedAtWhenSent.push(lookedAt)
      return await world.putAll(uploads, sending)
    },
    // What cannot be hashed is sent at once, and no reading has to be waited for.
    hash: async () => undefined,
  })
  queue.add(Array.from({ length: 1000 }, (_, index) => text(`z/v1/icons/${index}.svg`, `${index}`)))
  await settled(
    queue,
    Array.from({ length: 1000 }, () => 'live'),
  )

  expect(kept.size).toBe(1000)
  expect(lookedAtWhenSent[0]).toBe(250)
})

test('what is stored already is not sent, and other content waits for a word', async () => {
  const same = text('z/v1/icons/same.svg', 'same')
  const { world, kept } = createWorld(
    new Map([
      [same.path, await sha256(same.file)],
      ['z/v1/icons/other.svg', 'f'.repeat(64)],
      ['z/v1/icons/kept.svg', 'e'.repeat(64)],
    ]),
  )
  const queue = createUploadQueue(world)
  queue.add([same, text('z/v1/icons/other.svg', 'new'), text('z/v1/icons/kept.svg', 'new')])
  await settled(queue, ['unchanged', 'conflict', 'conflict'])
  const [, , last] = queue.snapshot().items
  queue.decide('skip', last?.id)
  queue.decide('replace')
  await settled(queue, ['unchanged', 'live', 'skipped'])

  expect(kept.get('z/v1/icons/other.svg')).toBe(await sha256(new Blob(['new'])))
  expect(kept.get('z/v1/icons/kept.svg')).toBe('e'.repeat(64))
})

test('a lost connection loses nothing, even where only the response was lost', async () => {
  const { world, kept, faults } = createWorld()
  faults.push(new ConnectionLost(), 'lost after it was stored')
  const queue = createUploadQueue(world)
  queue.add([large('z/v1/banners/a.jpg')])
  await settled(queue, ['live'])

  expect(kept.size).toBe(1)
  expect(faults).toEqual([])
})

test('what arrived damaged in a batch is told', async () => {
  const { world, kept } = createWorld()
  const queue = createUploadQueue({
    ...world,
    putAll: async (uploads, onProgress) => {
      const refused = await world.putAll(uploads, onProgress)
      kept.set('z/v1/icons/b.svg', 'f'.repeat(64))
      return refused
    },
  })
  queue.add([text('z/v1/icons/a.svg', 'a'), text('z/v1/icons/b.svg', 'b')])
  await settled(queue, ['live', 'failed'])
})

test('what is delivered is live as soon as it is told', async () => {
  const { world } = createWorld()
  const queue = createUploadQueue({
    ...world,
    put: async (upload, onProgress) => {
      await world.put(upload, onProgress)
      queue.published([upload.path])
    },
    list: async () => new Map(),
  })
  queue.add([large('z/v1/banners/a.jpg')])
  await settled(queue, ['live'])
})

test('one file that is refused does not keep its batch from being stored', async () => {
  const { world, kept, faults } = createWorld()
  faults.push(new UploadRefused(409, 'the batch'), new UploadRefused(409, 'differs by case'))
  const queue = createUploadQueue(world)
  queue.add([text('z/v1/icons/A.svg', 'a'), text('z/v1/icons/b.svg', 'b')])
  await new Promise<void>((resolve) => {
    queue.subscribe(() => {
      const states = queue.snapshot().items.map(({ state }) => state)
      if (states.toSorted().join() === 'failed,live') resolve()
    })
  })

  expect(queue.snapshot().items.find(({ state }) => state === 'failed')?.fault).toContain('differs')
  expect(kept.size).toBe(1)
  queue.retry()
  await settled(queue, ['live', 'live'])
})

test('what is too large is told before anything of it is sent', async () => {
  expect(maxRequestBytes).toBe(serviceMaxFileBytes)
  const { world, kept } = createWorld()
  const queue = createUploadQueue(world)
  const file = Object.defineProperty(new Blob(['x']), 'size', { value: maxRequestBytes + 1 })
  queue.add([{ path: 'z/v1/films/long.mp4', file }, text('z/v1/icons/a.svg', 'a')])
  await settled(queue, ['failed', 'live'])

  expect(queue.snapshot().items[0]?.fault).toBe('Too large')
  expect([...kept.keys()]).toEqual(['z/v1/icons/a.svg'])
})

test('what is refused of a batch goes once more by itself, and the others do not', async () => {
  const { world, kept, batchSizes, refusedPaths } = createWorld()
  refusedPaths.add('z/v1/icons/b.svg')
  const alone: string[] = []
  const queue = createUploadQueue({
    ...world,
    put: async ({ path }) => {
      alone.push(path)
      throw new UploadRefused(409, 'is spelled otherwise')
    },
  })
  queue.add(['a', 'b', 'c'].map((name) => text(`z/v1/icons/${name}.svg`, name)))
  await settled(queue, ['live', 'failed', 'live'])

  expect([batchSizes, alone]).toEqual([[3], ['z/v1/icons/b.svg']])
  expect(queue.snapshot().items[1]?.fault).toBe('is spelled otherwise')
  expect(kept.size).toBe(2)
})

test('what is cancelled is broken off, and the others of its batch are sent', async () => {
  const { world, kept } = createWorld()
  let isFirst = true
  const queue = createUploadQueue({
    ...world,
    putAll: (uploads, sending) => {
      if (!isFirst) return world.putAll(uploads, sending)
      isFirst = false
      return new Promise((_, reject) => {
        sending.signal.addEventListener('abort', () => reject(new UploadCancelled()))
        // The first that was added.
        queue.cancel(1)
      })
    },
  })
  queue.add([
    text('z/v1/icons/a.svg', 'a'),
    text('z/v1/icons/b.svg', 'b'),
    text('z/v1/icons/c.svg', 'c'),
  ])
  await settled(queue, ['cancelled', 'live', 'live'])

  expect([...kept.keys()].toSorted()).toEqual(['z/v1/icons/b.svg', 'z/v1/icons/c.svg'])
  const [cancelled] = queue.snapshot().items
  queue.retry(cancelled?.id)
  await settled(queue, ['live', 'live', 'live'])
})

test('what is held stays at its offset and goes on; what is given up is given up at the service', async () => {
  const { world, kept, dropped } = createWorld()
  const begun: (string | undefined)[] = []
  const queue = createUploadQueue({
    ...world,
    put: (upload, sending) => {
      begun.push(upload.uploadId)
      if (begun.length === 2) return world.put(upload, sending)
      return new Promise((_, reject) => {
        sending.signal.addEventListener('abort', () => reject(new UploadCancelled()))
        sending.onBegun('upload-1')
        sending.onProgress(1000)
        if (begun.length === 1) queue.pause()
        else queue.cancel()
      })
    },
  })
  queue.add([large('z/v1/films/a.mp4')])
  await settled(queue, ['paused'])
  expect(queue.snapshot().items[0]?.sentBytes).toBe(1000)
  queue.goOn()
  await settled(queue, ['live'])
  expect(begun).toEqual([undefined, 'upload-1'])
  expect(kept.size).toBe(1)

  queue.add([large('z/v1/films/b.mp4')])
  await settled(queue, ['live', 'cancelled'])
  expect(dropped).toEqual(['upload-1'])
})
