import type { Operation } from '../../http/operation.ts'
import { auditLogOperation, type AuditDependencies } from './audit-logs.ts'
import { domainOperations, type DomainsDependencies } from './domains.ts'
import { edgeRegistryOperations, type EdgeRegistryDependencies } from './edges.ts'
import { statisticsOperation, type StatisticsDependencies } from './statistics.ts'
import { ruleOperations, type RulesDependencies } from './rules.ts'
import { zoneOperations, type ZonesDependencies } from './zones.ts'

export type CoreDependencies = ZonesDependencies &
  DomainsDependencies &
  RulesDependencies &
  EdgeRegistryDependencies &
  AuditDependencies &
  StatisticsDependencies

export const coreOperations = (dependencies: CoreDependencies): readonly Operation[] => [
  ...zoneOperations(dependencies),
  ...domainOperations(dependencies),
  ...ruleOperations(dependencies),
  ...edgeRegistryOperations(dependencies),
  statisticsOperation(dependencies),
  auditLogOperation(dependencies),
]
