import { z } from 'zod'

const profile = z.object({
  url: z.string(),
  token: z.string().optional(),
  /** Where `sedge login` had the token made. */
  tokenId: z.string().optional(),
  expiresAt: z.string().optional(),
  accessKey: z.string().optional(),
})

/** What is in the file of profiles. */
export const profilesFile = z.object({
  current: z.string().optional(),
  profiles: z.record(z.string(), profile).default({}),
})

/** A service, and what opens it. */
export type Profile = z.infer<typeof profile>
export type Profiles = z.infer<typeof profilesFile>
