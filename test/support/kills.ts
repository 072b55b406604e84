/** How many kills a test of faults makes: `usual`, or what `SEDGE_KILLS` says (`npm run crash` does). */
export const killsOf = (usual: number): number => Number(process.env['SEDGE_KILLS'] ?? usual)
