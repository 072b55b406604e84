import type { Command } from './command.ts'
import { completionCommand } from './completion.ts'
import { doctorCommand } from './doctor.ts'
import { edgeWorkerCommand } from './edge-worker.ts'
import { edgeCommand } from './edge.ts'
import { getCommand } from './get.ts'
import { importCommand } from './import.ts'
import { insightsCommand } from './insights.ts'
import { keysCommand } from './keys.ts'
import { loginCommand, logoutCommand } from './login.ts'
import { logsCommand } from './logs.ts'
import { lsCommand } from './ls.ts'
import { profileCommand } from './profile.ts'
import { purgeCommand } from './purge.ts'
import { putCommand } from './put.ts'
import { migrateDataCommand } from './migrate-data.ts'
import { rebuildCommand } from './rebuild.ts'
import { rmCommand } from './rm.ts'
import { serveCommand } from './serve.ts'
import { signCommand } from './sign.ts'
import { syncCommand } from './sync.ts'
import { tokenCommand } from './token.ts'
import { webhooksCommand } from './webhooks.ts'
import { zonesCommand } from './zones.ts'

/** What an operator does to the service on this machine. */
export const operatorCommands: readonly Command[] = [
  serveCommand,
  doctorCommand,
  rebuildCommand,
  migrateDataCommand,
  keysCommand,
  edgeCommand,
  edgeWorkerCommand,
]

/** What anybody does with a running service, here or elsewhere. */
export const everydayCommands: readonly Command[] = [
  loginCommand,
  logoutCommand,
  profileCommand,
  zonesCommand,
  lsCommand,
  putCommand,
  getCommand,
  syncCommand,
  rmCommand,
  importCommand,
  purgeCommand,
  signCommand,
  tokenCommand,
  webhooksCommand,
  logsCommand,
  insightsCommand,
  completionCommand(() => allCommands()),
]

export const allCommands = (): readonly Command[] => [...operatorCommands, ...everydayCommands]
