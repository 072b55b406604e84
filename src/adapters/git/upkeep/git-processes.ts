import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** `git repack` names what it makes after itself. */
const repackName = /^\.tmp-(\d{1,10})-/u

/** Tells whether a temporary file in a directory of packs may belong to a process that is at work. */
export type MayBeInUse = (name: string) => boolean

/**
 * Looks which git processes there are on this machine. Where it cannot be seen what one has open, it
 * may have anything open.
 */
export async function processesOn(packDirectory: string): Promise<MayBeInUse> {
  const processes = await gitProcesses()
  if (processes === undefined) return () => true
  const isUsed = await someUse(processes, packDirectory)
  return (name) => {
    const [, owner] = repackName.exec(name) ?? []
    return owner === undefined ? isUsed : processes.includes(Number(owner))
  }
}

async function gitProcesses(): Promise<readonly number[] | undefined> {
  const found = process.platform === 'linux' ? await listProc() : await listByPs()
  return found?.filter(isGitAtWork).map(({ pid }) => pid)
}

interface Listed {
  readonly pid: number
  readonly state: string
  readonly command: string
}

/** What nobody has asked for its exit code is a zombie: it has ended, and keeps nothing. */
const isGitAtWork = ({ state, command }: Listed): boolean =>
  !/^[ZX]/u.test(state) && /(?:^|\/)git(?:-|$)/u.test(command)

async function listProc(): Promise<Listed[] | undefined> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.filter((name) => /^\d+$/u.test(name)).map(Number)
  // Without any, /proc is not there.
  return pids.length === 0 ? undefined : Promise.all(pids.map(statusOf))
}

/** `12 (git) S …`. */
async function statusOf(pid: number): Promise<Listed> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, command = '', state = 'X'] = /^\d+ \((.{0,64})\) (\S)/su.exec(stat) ?? []
  return { pid, command, state }
}

async function listByPs(): Promise<Listed[] | undefined> {
  const child = Bun.spawn(['ps', '-A', '-o', 'pid=,stat=,comm='], { stderr: 'ignore' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) return undefined
  return text.split('\n').map((line) => {
    const [pid = '', state = '', ...command] = line.trim().split(/ +/u)
    return { pid: Number(pid), state, command: command.join(' ') }
  })
}

/** A process that joins packs has those open or mapped, one that fetches has what it writes. */
async function someUse(processes: readonly number[], packDirectory: string): Promise<boolean> {
  if (process.platform !== 'linux') return processes.length > 0
  const within = (await realpath(packDirectory).catch(() => packDirectory)) + sep
  const uses = await Promise.all(processes.map((pid) => mayUse(pid, within)))
  return uses.includes(true)
}

async function mayUse(pid: number, within: string): Promise<boolean> {
  try {
    const mapped = await readFile(`/proc/${pid}/maps`, 'utf8')
    return mapped.includes(within) || (await openFiles(pid)).some((path) => path.startsWith(within))
  } catch {
    // It is somebody else's, unless it has ended meanwhile.
    return (await statusOf(pid)).state !== 'X'
  }
}

async function openFiles(pid: number): Promise<string[]> {
  const directory = `/proc/${pid}/fd`
  const numbers = await readdir(directory)
  return Promise.all(numbers.map((number) => readlink(join(directory, number)).catch(() => '')))
}
