/** Asks nobody for anything, and notices a connection that is dead. */
export const sshCommand =
  'ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4'

/** What ssh needs of the environment to find its keys; `GIT_SSH_COMMAND` stands for it as with git. */
export const sshVariables = ['HOME', 'SSH_AUTH_SOCK', 'GIT_SSH_COMMAND'] as const
