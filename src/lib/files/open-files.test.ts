import { expect, test } from 'bun:test'
import { fstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createOpenFiles } from './open-files.ts'

function createWorld() {
  const directory = mkdtempSync(join(tmpdir(), 'sedge-open-files-'))
  let nowMs = 0
  let due: (() => void) | undefined
  const files = createOpenFiles({
    monotonicMs: () => nowMs,
    later(_, act) {
      due = act
      return { [Symbol.dispose]: () => (due = undefined) }
    },
  })
  return {
    files,
    fileOf(name: string, content = name) {
      writeFileSync(join(directory, name), content)
      return Bun.file(join(directory, name))
    },
    pass(ms: number) {
      nowMs += ms
      const act = due
      due = undefined
      act?.()
    },
    get isWaiting() {
      return due !== undefined
    },
    [Symbol.dispose]() {
      files[Symbol.dispose]()
      rmSync(directory, { recursive: true })
    },
  }
}

const isOpen = (descriptor: number | undefined): boolean => {
  try {
    return fstatSync(descriptor ?? -1).isFile()
  } catch {
    return false
  }
}

test('a file that is asked for again soon is opened once, and let go of later', () => {
  using world = createWorld()
  const file = world.fileOf('a')
  const first = world.files.open(file, 1)
  const second = world.files.open(file, 1)
  first?.close()
  second?.close()

  expect(second).toMatchObject({ descriptor: first?.descriptor, start: 0, end: 1 })
  expect(isOpen(first?.descriptor)).toBe(true)

  world.pass(2_000)
  expect(isOpen(first?.descriptor)).toBe(false)
  expect(world.isWaiting).toBe(false)
})

test('what is sent from a file keeps it open, however long that takes', () => {
  using world = createWorld()
  const sent = world.files.open(world.fileOf('a'), 1)
  world.pass(2_000)
  world.files.clear()
  expect(isOpen(sent?.descriptor)).toBe(true)

  sent?.close()
  sent?.close()
  expect(isOpen(sent?.descriptor)).toBe(false)
})

test('a file that was open for long is opened anew, so that one that was removed is not kept', () => {
  using world = createWorld()
  const file = world.fileOf('a')
  const former = world.files.open(file, 1)
  former?.close()
  world.pass(1_000)
  expect(world.files.open(file, 1)?.descriptor).toBe(former?.descriptor)
  world.fileOf('a', 'another')
  world.pass(1_500)

  expect(world.files.open(file, 1)).toBeUndefined()
})

test('a file is open in vain where it has another size, is missing, or is no file', () => {
  using world = createWorld()
  const file = world.fileOf('a')

  expect(world.files.open(file, 2)).toBeUndefined()
  expect(world.files.open(Bun.file(`${file.name}-missing`), 1)).toBeUndefined()
  expect(world.files.open(new Blob(['a']), 1)).toBeUndefined()
})

test('of many files only so many are kept open', () => {
  using world = createWorld()
  const descriptors = Array.from({ length: 80 }, (_, index) => {
    const file = world.files.open(world.fileOf(`file-${index}`, 'x'), 1)
    file?.close()
    return file?.descriptor
  })

  // A number that was let go of is given to the next.
  expect(new Set(descriptors.filter(isOpen)).size).toBeLessThanOrEqual(66)
  world.files.clear()
  expect(descriptors.filter(isOpen)).toEqual([])
})
