import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const periodMicroseconds = 20_000

/** How much of a processor a process may have at most. Linux alone, and for root. */
export interface CpuLimit extends AsyncDisposable {
  /** 1 for a whole processor; `undefined` for no limit. */
  set(processors: number | undefined): Promise<void>
}

/** `undefined` where control groups cannot be made. */
export async function limitCpu(pid: number): Promise<CpuLimit | undefined> {
  const root = '/sys/fs/cgroup'
  const isUnified = existsSync(join(root, 'cgroup.controllers'))
  const group = join(root, isUnified ? '' : 'cpu', `sedge-bench-${pid}`)
  const write = (file: string, text: string) => writeFile(join(group, file), text)
  const setQuota = (quota: number | undefined) =>
    isUnified
      ? write('cpu.max', `${quota ?? 'max'} ${periodMicroseconds}`)
      : write('cpu.cfs_quota_us', String(quota ?? -1))
  try {
    await mkdir(group)
    if (!isUnified) await write('cpu.cfs_period_us', String(periodMicroseconds))
    await setQuota(undefined)
    await write('cgroup.procs', String(pid))
  } catch {
    await rmdir(group).catch(() => undefined)
    return undefined
  }
  return {
    set: (processors) => setQuota(processors && Math.round(processors * periodMicroseconds)),
    async [Symbol.asyncDispose]() {
      // The process has ended by now, or goes back to where it came from.
      await writeFile(join(group, '..', 'cgroup.procs'), String(pid)).catch(() => undefined)
      await rmdir(group).catch(() => undefined)
    },
  }
}
