import type { FileRules } from './landlock.ts'

/** Tells the launcher what to leave to the program. */
export interface BoxSettings {
  /** Left out: files are not taken away. */
  readonly files?: FileRules
  readonly hasCallFilter: boolean
  /** Besides what this process has already. */
  readonly maxDataBytes: number
  /** What the launcher becomes in place of a program of ours: a file that the machine can execute. */
  readonly program?: string
  readonly limits: readonly { readonly resource: number; readonly max: number }[]
}

/** The environment variables that carry it to the launcher, and what was taken to the program. */
export const boxSettingsName = 'SEDGE_BOX'
export const boxLayersName = 'SEDGE_BOX_LAYERS'
