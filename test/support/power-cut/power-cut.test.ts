import { expect, test } from 'bun:test'

import { createRandom } from '../random.ts'
import { durableFrom, prefixStates, scatteredState, type Timeline } from './cut-states.ts'
import { type Change, diskAfter, type Disk, filesByPath, type Operation, rootNode } from './disk.ts'
import { recordFiles } from './recorded-calls.ts'
import { readTrace } from './trace-lines.ts'

const empty: Disk = { files: new Map(), directories: new Map([[rootNode, new Map()]]) }

const operation = (line: number, change: Change): Operation => ({
  begun: line,
  ended: line,
  change,
})
const named = (name: string, node: number | undefined): Change => ({
  kind: 'names',
  names: [{ directory: rootNode, name, node }],
})
const written = (file: number, text: string, offset = 0): Change => ({
  kind: 'write',
  file,
  offset,
  bytes: Buffer.from(text),
})

const textsOf = (disk: Disk) =>
  Object.fromEntries(
    [...filesByPath(disk, () => false)].map(([path, bytes]) => [path, String(bytes)]),
  )
const shown = (timeline: Timeline, state: (index: number) => 'whole' | 'length' | 'none') =>
  textsOf(diskAfter(empty, timeline.operations, state))

/** A file that is written, flushed and given its name, as the service does it, with or without the last flush. */
const replaced: Timeline = {
  operations: [
    operation(1, named('new', 1)),
    operation(2, written(1, 'text')),
    operation(5, {
      kind: 'names',
      names: [
        { directory: rootNode, name: 'new', node: undefined },
        { directory: rootNode, name: 'file', node: 1 },
      ],
    }),
  ],
  flushes: [
    { begun: 3, ended: 4, node: 1 },
    { begun: 6, ended: 7, node: rootNode },
  ],
}

test('a flush covers what had ended before it, of its own file or directory', () => {
  expect(durableFrom(replaced)).toEqual([7, 4, 7])
})

test('a write that ends while a flush goes on is not covered by it', () => {
  const timeline: Timeline = {
    operations: [{ begun: 1, ended: 3, change: written(1, 'late') }],
    flushes: [{ begun: 2, ended: 4, node: 1 }],
  }

  expect(durableFrom(timeline)).toEqual([Infinity])
})

test('before a directory is flushed each moment of its names is possible', () => {
  const states = prefixStates(replaced, { line: 6, since: 0 })

  expect(states.map((state) => shown(replaced, state))).toEqual([
    {},
    { new: 'text' },
    { file: 'text' },
  ])
})

test('once all is flushed one disk alone is possible', () => {
  const states = prefixStates(replaced, { line: 7, since: 0 })

  expect(states.map((state) => shown(replaced, state))).toEqual([{ file: 'text' }])
  for (let seed = 0; seed < 50; seed += 1) {
    const state = scatteredState(replaced, { line: 7, since: 0 }, createRandom(seed))
    expect(shown(replaced, state)).toEqual({ file: 'text' })
  }
})

test('of bytes that were not flushed all, none or as many zeros may be there', () => {
  const timeline: Timeline = {
    operations: [operation(1, named('file', 1)), operation(4, written(1, 'text'))],
    flushes: [{ begun: 2, ended: 3, node: rootNode }],
  }
  const found = Array.from({ length: 50 }, (_, seed) => {
    const state = scatteredState(timeline, { line: 9, since: 0 }, createRandom(seed))
    return shown(timeline, state)['file']
  })

  expect(new Set(found)).toEqual(new Set(['text', '', '\0\0\0\0']))
})

test('a file that is cut short and grows again has zeros where it was cut', () => {
  const operations = [
    operation(1, named('file', 1)),
    operation(2, written(1, 'abcdef')),
    operation(3, { kind: 'resize', file: 1, sizeBytes: 2 }),
    operation(4, written(1, 'z', 4)),
  ]

  expect(textsOf(diskAfter(empty, operations, () => 'whole'))).toEqual({ file: 'ab\0\0z' })
})

test('names of a directory that were not flushed are lost from some moment on, never from between', () => {
  const timeline: Timeline = {
    operations: [1, 2, 3].map((line) => operation(line, named(`${line}`, line))),
    flushes: [],
  }
  const found = Array.from({ length: 200 }, (_, seed) => {
    const state = scatteredState(timeline, { line: 9, since: 0 }, createRandom(seed))
    return Object.keys(shown(timeline, state)).join('')
  })

  expect(new Set(found)).toEqual(new Set(['', '1', '12', '123']))
})

const hex = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

test('a number that is given away before its close is heard of is that of the new file', () => {
  const call = (thread: number, text: string) => `${thread} 1.0 ${text}`
  const [a, b] = ['a', 'b'].map((name) => hex(`/data/${name}`))
  const { calls } = readTrace(
    [
      call(7, `openat(AT_FDCWD<${hex('/')}>, "${a}", O_WRONLY|O_CREAT, 0600) = 3<${a}>`),
      call(7, `close(3<${a}> <unfinished ...>`),
      call(8, `openat(AT_FDCWD<${hex('/')}>, "${b}", O_WRONLY|O_CREAT, 0600) = 3<${b}>`),
      call(7, `<... close resumed>) = 0`),
      call(8, `write(3<${b}>, "${hex('text')}", 4) = 4`),
      call(1, `clone(child_stack=0x1, flags=CLONE_VM|CLONE_FILES|CLONE_THREAD) = 7`),
      call(1, `clone(child_stack=0x2, flags=CLONE_VM|CLONE_FILES|CLONE_THREAD) = 8`),
    ].join('\n'),
  )
  const { operations } = recordFiles(calls, {
    root: '/data',
    nodes: new Map(),
    directories: new Set([rootNode]),
    sizes: new Map(),
  })

  expect(textsOf(diskAfter(empty, operations, () => 'whole'))).toEqual({ a: '', b: 'text' })
})

test('what strace writes down is read as files, over forks, duplicates and lines that others come between', () => {
  const file = `<${hex('/data/a')}>`
  const { calls } = readTrace(
    [
      `7 1.000001 openat(AT_FDCWD<${hex('/')}>, "${hex('/data/a')}", O_WRONLY|O_CREAT, 0600) = 3${file}`,
      `7 1.000002 write(3${file}, "${hex('one ')}", 4 <unfinished ...>`,
      `8 1.000003 write(9<${hex('socket:[1]')}>, "${hex('GET')}", 3) = 3`,
      `7 1.000004 <... write resumed>) = 4`,
      `7 1.000005 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 9`,
      `9 1.000006 dup2(3${file}, 1) = 1${file}`,
      `9 1.000007 write(1${file}, "${hex('two')}", 3) = 3`,
      `9 1.000008 rename("${hex('/data/a')}", "${hex('/data/b')}") = -1 EACCES (Permission denied)`,
      `9 1.000009 rename("${hex('/data/a')}", "${hex('/data/b')}") = 0`,
      `7 1.000010 fsync(3<${hex('/data/b')}>) = 0`,
    ].join('\n'),
  )
  const recorded = recordFiles(calls, {
    root: '/data',
    nodes: new Map(),
    directories: new Set([rootNode]),
    sizes: new Map(),
  })

  expect(textsOf(diskAfter(empty, recorded.operations, () => 'whole'))).toEqual({ b: 'one two' })
  expect(recorded.flushes).toMatchObject([{ begun: 9, ended: 9 }])
  expect(recorded.operations.map(({ begun, ended }) => [begun, ended])).toContainEqual([1, 3])
})
