// Puts itself in a box and becomes the program that is named behind it. Limits of this kind hold for a
// thread and for what it becomes, so they have to be there before the program has any other thread. It
// touches no channel to its parent: that is the program's.
import { readFileSync, writeFileSync } from 'node:fs'

import { type BoxSettings, boxLayersName, boxSettingsName } from './box-settings.ts'
import { restrictFiles } from './landlock.ts'
import { seccompProgram } from './seccomp-program.ts'
import {
  addressOf,
  cString,
  cStringsOf,
  openSystemCalls,
  type SystemCalls,
} from './system-calls.ts'

/** RLIMIT_DATA. */
const dataBytes = 2

const settings = JSON.parse(process.env[boxSettingsName] ?? '{}') as BoxSettings
/** Flags of the runtime, the program and its arguments. */
const command = process.argv.slice(2)
const calls = openCalls()
if (calls !== undefined) becomeProgram(calls, enterBox(calls))
// It could not: the program goes on in here, and says that it is in no box. A program of the machine cannot.
if (settings.program !== undefined) process.exit(126)
const programAt = process.argv.findIndex((word, place) => place > 1 && !word.startsWith('--'))
process.argv.splice(1, programAt - 1)
await import(process.argv[1] ?? '')

function openCalls(): SystemCalls | undefined {
  try {
    return openSystemCalls()
  } catch {
    return undefined
  }
}

/** Takes what can be taken; answers what was. */
function enterBox(system: SystemCalls): readonly string[] {
  preferAsVictim()
  endWithParent(system)
  const layers: string[] = []
  if (setLimits(system)) layers.push('limits')
  dropCapabilities(system)
  if (!forbidPrivileges(system)) return layers
  layers.push('privileges')
  if (settings.files !== undefined && restrictFiles(system, settings.files) > 0)
    layers.push('files')
  if (settings.hasCallFilter && filterCalls(system)) layers.push('network')
  return layers
}

/** Where memory runs out, the kernel should end this process before any other. */
function preferAsVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Then it chooses by itself.
  }
}

function endWithParent(system: SystemCalls): void {
  const [setParentDeathSignal, sigkill] = [1, 9]
  system.prctl(setParentDeathSignal, sigkill)
}

function forbidPrivileges(system: SystemCalls): boolean {
  const setNoNewPrivileges = 38
  return system.prctl(setNoNewPrivileges, 1) === 0
}

/** Where the service runs as root, its children are root without any of its powers. */
function dropCapabilities(system: SystemCalls): void {
  const [versionThree, capset] = [0x20_08_05_22, process.arch === 'arm64' ? 91 : 126]
  const header = Uint32Array.of(versionThree, 0)
  system.syscall(capset, addressOf(header), addressOf(new Uint32Array(6)))
}

function setLimits(system: SystemCalls): boolean {
  const prlimit = process.arch === 'arm64' ? 261 : 302
  const data = { resource: dataBytes, max: settings.maxDataBytes + dataBytesNow() }
  return [...settings.limits, data].every(({ resource, max }) => {
    const pair = BigUint64Array.of(BigInt(max), BigInt(max))
    return system.syscall(prlimit, 0, resource, addressOf(pair), 0) === 0n
  })
}

/** What the runtime reserves for itself is more than all that it uses, and differs by machine. */
function dataBytesNow(): number {
  const [, kib = '0'] =
    /^VmData:\s*(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kib) * 1024
}

function filterCalls(system: SystemCalls): boolean {
  const filter = seccompProgram(process.arch)
  if (filter === undefined) return false
  const [setSeccomp, modeFilter, instructionBytes] = [22, 2, 8]
  const described = BigUint64Array.of(
    BigInt(filter.length / instructionBytes),
    BigInt(addressOf(filter)),
  )
  return system.prctl(setSeccomp, modeFilter, addressOf(described)) === 0
}

/** With the environment that it was given: the runtime takes from its own what the channel needs. */
function becomeProgram(system: SystemCalls, layers: readonly string[]): void {
  const given = readFileSync('/proc/self/environ', 'utf8')
    .split('\0')
    .filter((each) => each !== '' && !each.startsWith(`${boxSettingsName}=`))
  const environment = cStringsOf([...given, `${boxLayersName}=${layers.join(' ')}`])
  const program = settings.program ?? process.execPath
  const words = cStringsOf([program, ...command])
  system.execve(cString(program), words.pointers, environment.pointers)
}
