import { closeSync, fstatSync, openSync } from 'node:fs'

import { addressOf, type SystemCalls } from './system-calls.ts'

/** The same numbers on every machine. */
const createRuleset = 444
const addRule = 445
const restrictSelf = 446

/** Rights on files (linux/landlock.h). */
const execute = 1n << 0n
const writeFile = 1n << 1n
const readFile = 1n << 2n
const readDirectory = 1n << 3n
const truncate = 1n << 14n
const control = 1n << 15n
/** Those that mean something on a file that is no directory. */
const onFiles = execute | writeFile | readFile | truncate | control
/** How many rights each version knows, from the first on. */
const rightCounts = [13n, 14n, 15n, 15n, 16n]

const bindAndConnect = 3n
const networkSince = 4
/** Abstract sockets and signals: none to who is not in the same box. */
const scopes = 3n
const scopesSince = 6

const openPath = 0o10_000_000
const closeOnExec = 0o2_000_000

export interface FileRules {
  /** With everything in them, where they are directories. What is not there is left out. */
  readonly readable: readonly string[]
  readonly executable: readonly string[]
  readonly writable: readonly string[]
  /** What may be listed, and nothing more. */
  readonly listable: readonly string[]
}

/**
 * Takes from this thread, and from all that it starts or becomes, every file but these, TCP, and signals
 * to others. It must not be able to gain privileges. Answers the version of Landlock; 0 where the kernel
 * has none, and then nothing is taken.
 */
export function restrictFiles(calls: SystemCalls, rules: FileRules): number {
  const version = Number(calls.syscall(createRuleset, 0, 0, 1))
  if (version < 1) return 0
  const handled = rightsOf(version)
  const ruleset = createRulesetFor(calls, version, handled)
  if (ruleset < 0n) return 0
  const read = readFile | readDirectory
  const rightsByList = [
    [rules.listable, readDirectory],
    [rules.readable, read],
    [rules.executable, read | execute],
    [rules.writable, handled & ~execute],
  ] as const
  for (const [paths, rights] of rightsByList)
    for (const path of paths) allow(calls, ruleset, { path, rights })
  return calls.syscall(restrictSelf, ruleset, 0) === 0n ? version : 0
}

/** All that a version knows. */
const rightsOf = (version: number): bigint =>
  (1n << (rightCounts[Math.min(version, rightCounts.length) - 1] ?? 0n)) - 1n

/** An older kernel refuses what it does not know. */
function createRulesetFor(calls: SystemCalls, version: number, handled: bigint): bigint {
  const attributes = [
    handled,
    ...(version >= networkSince ? [bindAndConnect] : []),
    ...(version >= scopesSince ? [scopes] : []),
  ]
  const bytes = BigUint64Array.from(attributes)
  return calls.syscall(createRuleset, addressOf(bytes), bytes.byteLength, 0)
}

interface Allowed {
  readonly path: string
  readonly rights: bigint
}

const ruleBytes = 12
const descriptorAt = 8
const pathBeneath = 1

function allow(calls: SystemCalls, ruleset: bigint, { path, rights }: Allowed): void {
  const file = openIfThere(path)
  if (file === undefined) return
  const rule = new DataView(new ArrayBuffer(ruleBytes))
  rule.setBigUint64(0, fstatSync(file).isDirectory() ? rights : rights & onFiles, true)
  rule.setInt32(descriptorAt, file, true)
  calls.syscall(addRule, ruleset, pathBeneath, addressOf(rule), 0)
  closeSync(file)
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, openPath | closeOnExec)
  } catch {
    return undefined
  }
}
