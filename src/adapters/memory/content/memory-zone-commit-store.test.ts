import { zoneCommitStoreContract } from '../../../ports/zone-repositories/zone-commit-store.contract.ts'
import { MemoryZoneCommitStore } from './memory-zone-commit-store.ts'

zoneCommitStoreContract('memory', async () => new MemoryZoneCommitStore())
