import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { patternOf, streamOf } from '../../ports/content/blob-store.contract.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'
import { type FileSystem, nodeFileSystem } from './file-system.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

type Call = 'mkdir' | 'open' | 'rename' | 'write' | 'datasync' | 'sync'

/** A file system that counts calls and answers the chosen one with the chosen error. */
function faultyFileSystem() {
  let chosen: { readonly call: Call; readonly code: string; skip: number } | undefined
  let watched: Call | undefined
  let count = 0
  const maybeFail = (call: Call) => {
    if (call === watched) count += 1
    if (chosen?.call !== call) return
    if (chosen.skip > 0) chosen.skip -= 1
    else throw Object.assign(new Error(chosen.code), { code: chosen.code, syscall: call })
  }
  const { sync } = nodeFileSystem
  const files: FileSystem = {
    ...nodeFileSystem,
    mkdir: (async (...given: Parameters<FileSystem['mkdir']>) => {
      maybeFail('mkdir')
      return await nodeFileSystem.mkdir(...given)
    }) as FileSystem['mkdir'],
    open: async (...given) => {
      maybeFail('open')
      const handle = await nodeFileSystem.open(...given)
      for (const call of ['write', 'datasync', 'sync'] as const) {
        const whole = handle[call].bind(handle) as (...all: unknown[]) => Promise<unknown>
        const guarded = async (...all: unknown[]) => {
          maybeFail(call)
          return await whole(...all)
        }
        Object.assign(handle, { [call]: guarded })
      }
      return handle
    },
    rename: async (...given) => {
      maybeFail('rename')
      await nodeFileSystem.rename(...given)
    },
    sync: {
      ...sync,
      mkdir: (...given: Parameters<typeof sync.mkdir>) => {
        maybeFail('mkdir')
        return sync.mkdir(...given)
      },
      open: (...given) => {
        maybeFail('open')
        return sync.open(...given)
      },
      write: (...given) => {
        maybeFail('write')
        return sync.write(...given)
      },
      rename: (...given) => {
        maybeFail('rename')
        sync.rename(...given)
      },
    },
    fdatasync: async (file) => {
      maybeFail('datasync')
      await nodeFileSystem.fdatasync(file)
    },
    fsync: async (file) => {
      maybeFail('sync')
      await nodeFileSystem.fsync(file)
    },
  }
  return {
    files,
    fail(call: Call, code: string, skip = 0) {
      chosen = { call, code, skip }
    },
    count(call: Call) {
      watched = call
      count = 0
    },
    counted: () => count,
    recover() {
      chosen = undefined
    },
  }
}

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-blobs-'))
  const faults = faultyFileSystem()
  const fatal: unknown[] = []
  const store = await openDiskBlobStore({
    directory,
    files: faults.files,
    onFatal: (failure) => fatal.push(failure),
  })
  return {
    directory,
    store,
    faults,
    fatal,
    temporaries: () => readdir(join(directory, 'incoming')),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

for (const [call, skip] of [
  ['open', 0],
  ['write', 0],
  ['write', 3],
] as const)
  test(`a disk that is full at ${call} ${skip} of the reception says so and leaves nothing`, async () => {
    await using house = await setUp()
    house.faults.fail(call, 'ENOSPC', skip)
    const bytes = patternOf(500_000)

    const failure = await failureOf(house.store.receive(streamOf(bytes, 50_000)))
    expect(failure).toBeInstanceOf(StoreUnavailableError)
    expect(failure).toMatchObject({ final: false, cause: { code: 'ENOSPC' } })
    expect(await house.temporaries()).toEqual([])

    house.faults.recover()
    await using incoming = await house.store.receive(streamOf(bytes, 50_000))
    expect(await incoming.keep()).toMatchObject({ sizeBytes: 500_000 })
  })

for (const call of ['open', 'write', 'mkdir', 'rename', 'datasync'] as const)
  test(`a disk that is full at ${call} while keeping says so, leaves nothing, and works again later`, async () => {
    await using house = await setUp()
    await using incoming = await house.store.receive(patternOf(100))
    house.faults.fail(call, 'ENOSPC')

    const failure = await failureOf(incoming.keep())
    expect(failure).toMatchObject({ name: 'StoreUnavailableError', store: 'blobs', final: false })
    expect(await house.temporaries()).toEqual([])
    expect(await house.store.stat(incoming.sha256)).toBeUndefined()

    house.faults.recover()
    await using again = await house.store.receive(patternOf(100))
    await again.keep()
    expect(await house.store.isIntact(again.sha256)).toBe(true)
    expect(house.fatal).toEqual([])
  })

for (const call of ['datasync', 'sync'] as const)
  test(`a failed ${call} is final and said once: nothing more is taken in, what was kept is still read`, async () => {
    await using house = await setUp()
    await using early = await house.store.receive(patternOf(10))
    await early.keep()
    await using waiting = await house.store.receive(patternOf(11))
    await using failing = await house.store.receive(patternOf(12))
    house.faults.fail(call, 'EIO')

    expect(await failureOf(failing.keep())).toMatchObject({ final: true, cause: { code: 'EIO' } })
    house.faults.recover()

    expect(await failureOf(waiting.keep())).toMatchObject({ final: true })
    expect(await failureOf(house.store.receive(patternOf(13)))).toMatchObject({ final: true })
    expect(await house.store.isIntact(early.sha256)).toBe(true)
    expect(await house.temporaries()).toEqual([])
    expect(house.fatal).toMatchObject([{ final: true, cause: { code: 'EIO' } }])
  })

test('blob directories that vanished are made and flushed again', async () => {
  await using house = await setUp()
  await using early = await house.store.receive(patternOf(10))
  await early.keep()
  await rm(join(house.directory, 'sha256', early.sha256.slice(0, 2)), { recursive: true })
  house.faults.count('sync')

  await using late = await house.store.receive(patternOf(10))
  await late.keep()

  expect(await house.store.isIntact(late.sha256)).toBe(true)
  expect(house.faults.counted()).toBe(3)
})

test('a blob in a new directory flushes also the name of that', async () => {
  await using house = await setUp()
  house.faults.count('sync')
  await using incoming = await house.store.receive(patternOf(10))
  await incoming.keep()

  expect(house.faults.counted()).toBe(2)
})

test('a blob in a known directory costs one flush of the file and one of the directory', async () => {
  await using house = await setUp()
  await using early = await house.store.receive(patternOf(10))
  await early.keep()
  await house.store.remove(early.sha256)
  for (const call of ['datasync', 'sync'] as const) {
    house.faults.count(call)
    await using late = await house.store.receive(patternOf(10))
    await late.keep()
    expect(house.faults.counted()).toBe(1)
  }
})

test('bytes that are there already are flushed again: a killed process may have left them so', async () => {
  await using house = await setUp()
  await using early = await house.store.receive(patternOf(10))
  await early.keep()
  for (const call of ['datasync', 'sync'] as const) {
    house.faults.count(call)
    await using late = await house.store.receive(patternOf(10))
    await late.keep()
    expect(house.faults.counted()).toBe(1)
  }
})

test('bytes kept lazily cost no flush until the checkpoint, and one each there', async () => {
  await using house = await setUp()
  for (const call of ['datasync', 'sync'] as const) {
    house.faults.count(call)
    for (const size of [11, 12, 13]) {
      await using incoming = await house.store.receive(patternOf(size))
      await incoming.keepLazily()
    }
    expect(house.faults.counted()).toBe(0)
  }
  house.faults.count('datasync')
  await house.store.checkpoint('mark')
  expect(house.faults.counted()).toBe(3)

  await house.store.checkpoint('next')
  expect(house.faults.counted()).toBe(3)
})

test('one blob that was kept lazily is flushed by itself, its name too, and the checkpoint has less to do', async () => {
  await using house = await setUp()
  const kept: string[] = []
  for (const size of [11, 12]) {
    await using incoming = await house.store.receive(patternOf(size))
    kept.push((await incoming.keepLazily()).sha256)
  }
  house.faults.count('datasync')
  await house.store.flush(kept[0] ?? '')
  expect(house.faults.counted()).toBe(1)
  house.faults.count('sync')
  await house.store.flush(kept[1] ?? '')
  expect(house.faults.counted()).toBe(2)

  house.faults.count('datasync')
  await house.store.checkpoint('mark')
  expect(house.faults.counted()).toBe(0)
})

test('a flush of one blob that fails is final', async () => {
  await using house = await setUp()
  await using incoming = await house.store.receive(patternOf(11))
  const { sha256 } = await incoming.keepLazily()
  house.faults.fail('datasync', 'EIO')

  expect(await failureOf(house.store.flush(sha256))).toMatchObject({ final: true })
  house.faults.recover()
  expect(await failureOf(house.store.checkpoint('after'))).toMatchObject({ final: true })
})

for (const call of ['datasync', 'sync'] as const)
  test(`a ${call} that fails at a checkpoint is final, and the mark stays where it was`, async () => {
    await using house = await setUp()
    await house.store.checkpoint('before')
    await using incoming = await house.store.receive(patternOf(11))
    await incoming.keepLazily()
    house.faults.fail(call, 'EIO')

    expect(await failureOf(house.store.checkpoint('after'))).toMatchObject({ final: true })
    house.faults.recover()
    expect(await failureOf(house.store.checkpoint('after'))).toMatchObject({ final: true })
    expect(await house.store.lastCheckpoint()).toBe('before')
    expect(house.fatal).toMatchObject([{ final: true, cause: { code: 'EIO' } }])
  })

const smallDisk = await mountSmallDisk()
if (smallDisk === undefined)
  console.log(
    'Skipped: a really full disk. It takes root and mount: run the tests in a container as root.',
  )

test.skipIf(smallDisk === undefined)(
  'a really full disk refuses what does not fit, and takes what fits',
  async () => {
    await using disk = smallDisk ?? { directory: '', [Symbol.asyncDispose]: async () => {} }
    await using store = await openDiskBlobStore({ directory: join(disk.directory, 'blobs') })
    const tooMuch = streamOf(patternOf(6_000_000), 50_000)

    expect(await failureOf(store.receive(tooMuch))).toMatchObject({ final: false })
    expect(await readdir(join(disk.directory, 'blobs/incoming'))).toEqual([])

    await using incoming = await store.receive(streamOf(patternOf(1_000_000), 50_000))
    await incoming.keep()
    expect(await store.isIntact(incoming.sha256)).toBe(true)
  },
)

async function mountSmallDisk() {
  if (process.getuid?.() !== 0) return undefined
  const directory = await mkdtemp(join(tmpdir(), 'sedge-disk-'))
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory])
  if (mounted.exitCode !== 0) {
    await rm(directory, { recursive: true })
    return undefined
  }
  return {
    directory,
    async [Symbol.asyncDispose]() {
      Bun.spawnSync(['umount', directory])
      await rm(directory, { recursive: true })
    },
  }
}

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
