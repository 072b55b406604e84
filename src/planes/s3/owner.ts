/** Everything is the service's: who may what is no matter of owners. */
export const owner = { ID: 'sedge', DisplayName: 'sedge' } as const
