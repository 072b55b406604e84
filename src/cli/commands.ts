import { mcpCommand } from './agents/mcp.ts'
import { backupCommand } from './backups/backup.ts'
import { restoreCommand } from './backups/restore.ts'
import type { Command } from './support/command.ts'
import { completionCommand } from './operator/completion.ts'
import { deployCommand } from './deploy/deploy.ts'
import { previewCommand } from './deploy/preview.ts'
import { doctorCommand } from './operator/doctor.ts'
import { edgeWorkerCommand } from './operator/edge-worker.ts'
import { edgeCommand } from './operator/edge.ts'
import { getCommand } from './files/get.ts'
import { grantCommand } from './files/grant.ts'
import { importCommand } from './files/import.ts'
import { insightsCommand } from './service/insights.ts'
import { limitsCommand } from './service/limits.ts'
import { quotasCommand } from './service/quotas.ts'
import { keysCommand } from './operator/keys.ts'
import { loginCommand, logoutCommand } from './service/login.ts'
import { logsCommand } from './service/logs.ts'
import { lsCommand } from './files/ls.ts'
import { peopleCommand } from './service/people.ts'
import { profileCommand } from './service/profile.ts'
import { domainsCommand } from './delivery/domains.ts'
import { purgeCommand } from './delivery/purge.ts'
import { rulesCommand } from './delivery/rules.ts'
import { openCommand } from './service/open.ts'
import { searchCommand } from './files/search.ts'
import { statusCommand } from './service/status.ts'
import { usageCommand } from './service/usage.ts'
import { putCommand } from './files/put.ts'
import { migrateDataCommand } from './operator/migrate-data.ts'
import { rebuildCommand } from './operator/rebuild.ts'
import { cpCommand, mvCommand } from './files/manage/relocate.ts'
import { trashCommand } from './files/manage/trash.ts'
import { rmCommand } from './files/manage/rm.ts'
import { storedNamesCommand } from './operator/stored-names.ts'
import { serveCommand } from './operator/serve.ts'
import { signCommand } from './files/sign.ts'
import { describeCommand } from './files/manage/describe.ts'
import { syncCommand } from './files/sync.ts'
import { tagCommand } from './files/manage/tag.ts'
import { s3KeyCommand } from './service/s3-key.ts'
import { tokenCommand } from './service/token.ts'
import { webhooksCommand } from './service/webhooks.ts'
import { historyCommand, restoreZoneCommand } from './service/zone-history.ts'
import { zonesCommand } from './service/zones.ts'

/** What an operator does to the service on this machine. */
export const operatorCommands: readonly Command[] = [
  serveCommand,
  doctorCommand,
  rebuildCommand,
  backupCommand,
  restoreCommand,
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
  statusCommand,
  openCommand,
  zonesCommand,
  historyCommand,
  restoreZoneCommand,
  lsCommand,
  searchCommand,
  putCommand,
  getCommand,
  syncCommand,
  deployCommand,
  previewCommand,
  cpCommand,
  mvCommand,
  rmCommand,
  trashCommand,
  tagCommand,
  describeCommand,
  importCommand,
  purgeCommand,
  rulesCommand,
  domainsCommand,
  signCommand,
  grantCommand,
  peopleCommand,
  tokenCommand,
  s3KeyCommand,
  webhooksCommand,
  logsCommand,
  insightsCommand,
  usageCommand,
  limitsCommand,
  quotasCommand,
  mcpCommand,
  completionCommand(() => allCommands()),
  storedNamesCommand,
]

export const allCommands = (): readonly Command[] => [...operatorCommands, ...everydayCommands]
