import { dirname, relative, resolve } from 'node:path'

import { type Change, type Flush, type Node, type Operation, rootNode } from './disk.ts'
import { isMadeAnew } from './laid-out.ts'
import { bytesOf, type Call, descriptorOf } from './trace-lines.ts'

/** Calls that answer the number of a new process or thread. */
export const forkCalls: readonly string[] = ['clone', 'clone3', 'fork', 'vfork']

/** What an open file is, whatever numbers lead to it, in whichever process. */
interface OpenFile {
  readonly node: Node
  readonly appends: boolean
  position: number
}

/** What a process has; its threads share it. */
interface Process {
  directory: string
  readonly open: Map<number, OpenFile>
}

export interface Start {
  /** The data directory; what is outside of it is not followed. */
  readonly root: string
  /** By paths below it, what is there already. */
  readonly nodes: ReadonlyMap<string, Node>
  readonly directories: ReadonlySet<Node>
  readonly sizes: ReadonlyMap<Node, number>
}

/** What processes did to files and directories, call by call. */
export class RecordedFiles {
  readonly operations: Operation[] = []
  readonly flushes: Flush[] = []
  readonly directories: Set<Node>
  readonly #root: string
  readonly #nodes: Map<string, Node>
  readonly #sizes: Map<Node, number>
  readonly #processes = new Map<number, Process>()
  readonly #parents: ReadonlyMap<number, Call>
  #nextNode: Node

  constructor(calls: readonly Call[], { root, nodes, directories, sizes }: Start) {
    this.#root = root
    this.#nodes = new Map(nodes)
    this.directories = new Set(directories)
    this.#sizes = new Map(sizes)
    this.#nextNode = Math.max(rootNode, ...nodes.values()) + 1
    this.#parents = new Map(
      calls
        .filter(({ name }) => forkCalls.includes(name))
        .map((call) => [Number(call.result), call]),
    )
  }

  processOf(thread: number): Process {
    const known = this.#processes.get(thread)
    if (known) return known
    const fork = this.#parents.get(thread)
    const parent = fork && this.processOf(fork.thread)
    const sharesAll = fork?.parameters.some((text) => text.includes('CLONE_THREAD')) === true
    const process =
      parent && sharesAll
        ? parent
        : {
            directory: parent?.directory ?? globalThis.process.cwd(),
            open: new Map(parent?.open),
          }
    this.#processes.set(thread, process)
    return process
  }

  /** `undefined` for what is not in the data directory, or is of no account there. */
  below(path: string): string | undefined {
    const found = relative(this.#root, path)
    return found.startsWith('..') || isMadeAnew(found) ? undefined : found
  }

  absolute(thread: number, parameter: string, at?: string): string {
    const directory = (at && descriptorOf(at)?.path) || this.processOf(thread).directory
    return resolve(directory, bytesOf(parameter).toString())
  }

  nodeAt(path: string): Node {
    const node = path === '' ? rootNode : this.#nodes.get(path)
    if (node === undefined) throw new Error(`the record does not say how ${path} came to be`)
    return node
  }

  has(path: string): boolean {
    return path === '' || this.#nodes.has(path)
  }

  newNode(): Node {
    this.#nextNode += 1
    return this.#nextNode
  }

  note({ begun, ended }: Call, change: Change): void {
    this.operations.push({ begun, ended, change })
  }

  /** Names that are given and taken away together. */
  rename(call: Call, changes: readonly (readonly [path: string, node: Node | undefined])[]): void {
    const names = changes.map(([path, node]) => ({
      directory: this.nodeAt(parentOf(path)),
      name: path.slice(path.lastIndexOf('/') + 1),
      node,
    }))
    this.note(call, { kind: 'names', names })
    for (const [path, node] of changes)
      if (node === undefined) this.#forget(path)
      else this.#nodes.set(path, node)
  }

  /** Everything below a directory has its new name with it. */
  move(from: string, to: string): void {
    for (const [path, node] of this.#nodes)
      if (path.startsWith(`${from}/`)) {
        this.#nodes.delete(path)
        this.#nodes.set(`${to}${path.slice(from.length)}`, node)
      }
  }

  write(call: Call, file: OpenFile, { bytes, offset }: { bytes: Buffer; offset?: number }): void {
    const size = this.#sizes.get(file.node) ?? 0
    const at = offset ?? (file.appends ? size : file.position)
    if (offset === undefined) file.position = at + bytes.length
    this.#sizes.set(file.node, Math.max(size, at + bytes.length))
    this.note(call, { kind: 'write', file: file.node, offset: at, bytes })
  }

  resize(call: Call, file: Node, sizeBytes: number): void {
    if ((this.#sizes.get(file) ?? 0) === sizeBytes) return
    this.#sizes.set(file, sizeBytes)
    this.note(call, { kind: 'resize', file, sizeBytes })
  }

  enlarge(call: Call, file: Node, sizeBytes: number): void {
    this.resize(call, file, Math.max(this.#sizes.get(file) ?? 0, sizeBytes))
  }

  openFileOf({ thread, parameters: [first = ''] }: Call): OpenFile | undefined {
    const descriptor = descriptorOf(first)
    if (!descriptor || this.below(descriptor.path) === undefined) return undefined
    const file = this.processOf(thread).open.get(descriptor.number)
    if (!file && !descriptor.path.endsWith(' (deleted)'))
      throw new Error(`the record does not say who opened ${descriptor.path}`)
    return file
  }

  #forget(path: string): void {
    this.#nodes.delete(path)
  }
}

const parentOf = (path: string): string => (path.includes('/') ? dirname(path) : '')
