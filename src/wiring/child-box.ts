import { type BoxLayer, createChildBox, type MachineBox } from '../lib/box/child-box.ts'
import type { Log } from '../lib/log.ts'

const whatEachKeeps: Readonly<Record<BoxLayer, string>> = {
  files: 'other files (Landlock)',
  network: 'the network (seccomp)',
  privileges: 'gaining privileges (no_new_privs)',
  limits: 'more memory and processor time than they need (setrlimit)',
}

/** One for all children of the service; says once what the system has nothing for. */
export const openChildBox = (log: Pick<Log, 'warn'>): MachineBox =>
  createChildBox({
    onMissing: (missing) =>
      log.warn(
        'child processes that read what strangers sent are not kept from all they could be',
        {
          notKeptFrom: missing.map((layer) => whatEachKeeps[layer]),
        },
      ),
  })
