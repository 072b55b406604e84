import type { Operation } from '../../http/operation.ts'
import { passkeyOperations, type PasskeysDependencies } from './passkeys.ts'
import { sessionOperations, type SessionsDependencies } from './sessions.ts'
import { signInOperations, type SignInDependencies } from './sign-in.ts'
import { tokenOperations, type TokensDependencies } from './tokens.ts'

export type AccessDependencies = TokensDependencies &
  SessionsDependencies &
  SignInDependencies &
  PasskeysDependencies

export const accessOperations = (dependencies: AccessDependencies): readonly Operation[] => [
  ...tokenOperations(dependencies),
  ...passkeyOperations(dependencies),
  ...sessionOperations(dependencies),
  ...signInOperations(dependencies),
]
