/** How backups stand, as whoever makes them says. */
export interface BackupStatus {
  /** When the newest whole backup was begun; `undefined` where there is none. */
  readonly newestAt: Date | undefined
  /** Why the last attempt came to nothing; `undefined` where it succeeded. */
  readonly failure: { readonly at: Date; readonly reason: string } | undefined
  /** Whether the next one should have been made a good while ago. */
  readonly isOverdue: boolean
}

/** `undefined` where no backups are set up. */
export type ReadBackupStatus = () => Promise<BackupStatus | undefined>
