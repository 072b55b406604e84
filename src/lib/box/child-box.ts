import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { looseDirectory, looseFilesName, programFile } from '../files/program-files.ts'
import { type BoxSettings, boxLayersName, boxSettingsName } from './box-settings.ts'

/** What is kept from a child, by the layer of the box that does it. */
export const boxLayers = ['files', 'network', 'privileges', 'limits'] as const
export type BoxLayer = (typeof boxLayers)[number]

/** What a child is left with, besides its own program. */
export interface Belongings {
  /** Files and directories that it may read. */
  readonly readable: readonly string[]
  /** Directories that it may do as it likes in. */
  readonly writable: readonly string[]
  /** What it may use of a core in its whole life; without it as much as it likes. */
  readonly maxCpuSeconds?: number
  /** Memory of its own that it may ask for, besides what the runtime reserves for itself. */
  readonly maxDataBytes: number
}

export interface BoxedCommand {
  readonly cmd: string[]
  /** To be added to the environment of the child. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Where children are started that touch what strangers sent: without a network, without files but their
 * own program's and what they are handed, without privileges, and within limits; each as far as the
 * system can. Children of one service share it.
 */
export interface ChildBox {
  /** How to start a program of ours in it. */
  command(program: string, args: readonly string[], belongings: Belongings): BoxedCommand
  /** To be told once a child works, by what it says of itself. */
  noteStart(layers: readonly string[]): void
  /**
   * To be told where a child did not start at all. Answers whether it is worth trying again: from then on
   * less is taken from children.
   */
  loosen(): boolean
}

/** The same for programs that are not ours. */
export interface MachineBox extends ChildBox {
  /** How to start a program of the machine in it, by its absolute path. It may execute no other. */
  machineCommand(program: string, args: readonly string[], belongings: Belongings): BoxedCommand
}

/** The layers that a child finds itself in. For its first word to its parent. */
export const layersAround = (): readonly string[] =>
  (process.env[boxLayersName] ?? '').split(' ').filter((layer) => layer !== '')

interface Options {
  /** Told once, of the first child that works, what is not kept from children here. */
  readonly onMissing?: (missing: readonly BoxLayer[]) => void
}

const launcher = programFile('src/lib/box/box-launcher.ts')

export function createChildBox({ onMissing }: Options = {}): MachineBox {
  /** How much is taken from a child, the most first. */
  const levels = ['all', 'calls', 'nothing'] as const
  let level = process.platform === 'linux' ? 0 : levels.length - 1
  let isReported = false

  return {
    command(program, args, belongings) {
      const direct = [process.execPath, ...runtimeFlags, program, ...args]
      if (levels[level] === 'nothing') return { cmd: direct, env: looseFilesEnvironment() }
      const settings = settingsFor(belongings, levels[level] === 'all')
      return {
        cmd: [process.execPath, ...runtimeFlags, launcher, ...runtimeFlags, program, ...args],
        env: { ...looseFilesEnvironment(), [boxSettingsName]: JSON.stringify(settings) },
      }
    },
    machineCommand(program, args, belongings) {
      if (levels[level] === 'nothing') return { cmd: [program, ...args], env: {} }
      const settings = settingsFor(belongings, levels[level] === 'all', realpathSync(program))
      return {
        cmd: [process.execPath, ...runtimeFlags, launcher, ...args],
        env: { [boxSettingsName]: JSON.stringify({ ...settings, program }) },
      }
    },
    noteStart(layers) {
      if (isReported) return
      isReported = true
      const missing = boxLayers.filter((layer) => !layers.includes(layer))
      if (missing.length > 0) onMissing?.(missing)
    },
    loosen() {
      if (level === levels.length - 1) return false
      level += 1
      return true
    },
  }
}

/** What is not installed is missing, and not to be fetched. One executable has the flag in it. */
const runtimeFlags = Bun.isStandaloneExecutable ? [] : ['--no-install']

/** For programs of ours: where their libraries are, where they had to be unpacked. */
function looseFilesEnvironment(): Readonly<Record<string, string>> {
  const directory = looseDirectory()
  return directory === undefined ? {} : { [looseFilesName]: directory }
}

/** RLIMIT_* of Linux. */
const cpuSeconds = 0
const fileBytes = 1
const coreBytes = 4
const openFiles = 7
const maxFileBytes = 256 * 2 ** 20
const maxOpenFiles = 512

const settingsFor = (
  { readable, writable, maxCpuSeconds, maxDataBytes }: Belongings,
  takesFiles: boolean,
  program = realpathSync(process.execPath),
): BoxSettings => ({
  ...(takesFiles && {
    files: {
      readable: [...programFiles(), ...systemFiles, ...readable],
      executable: [program, ...libraryDirectories],
      writable: ['/dev/null', ...writable],
      // The runtime looks for packages from the root on; names are all that can be seen there.
      listable: ['/'],
    },
  }),
  hasCallFilter: true,
  maxDataBytes,
  limits: [
    { resource: coreBytes, max: 0 },
    { resource: fileBytes, max: maxFileBytes },
    { resource: openFiles, max: maxOpenFiles },
    ...(maxCpuSeconds === undefined ? [] : [{ resource: cpuSeconds, max: maxCpuSeconds }]),
  ],
})

/** The source of the service and the packages it finds, wherever they are installed; or what of one executable is not in it. */
function programFiles(): readonly string[] {
  if (Bun.isStandaloneExecutable) return [looseDirectory() ?? []].flat()
  const source = sourceDirectory()
  const found: string[] = [source]
  for (let directory = dirname(source); ; directory = dirname(directory)) {
    const modules = join(directory, 'node_modules')
    if (existsSync(modules))
      found.push(...packagesIn(modules), ...packagesIn(realpathSync(modules)))
    if (directory === dirname(directory)) break
  }
  return [...found, ...besidePackages(dirname(source))]
}

/** With what the runtime reads beside them. */
const packagesIn = (modules: string): readonly string[] => [
  modules,
  ...besidePackages(dirname(modules)),
]

const besidePackages = (directory: string): readonly string[] =>
  ['package.json', 'tsconfig.json', 'bunfig.toml'].map((name) => join(directory, name))

/** `src`, of which this is a part. */
const sourceDirectory = (): string => join(import.meta.dir, '..', '..')

const libraryDirectories = [
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/nix/store',
]
const systemFiles = [
  '/etc/ld.so.cache',
  '/etc/ld.so.preload',
  '/etc/localtime',
  '/usr/share/zoneinfo',
  '/dev/urandom',
  '/dev/random',
  '/dev/zero',
  '/proc/self',
  '/proc/meminfo',
  '/proc/cpuinfo',
  '/proc/stat',
  '/proc/sys/vm',
  '/sys/devices/system/cpu',
  '/sys/fs/cgroup',
]
