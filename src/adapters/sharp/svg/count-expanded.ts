/** An element by what it makes the renderer draw. */
export interface SvgNode {
  readonly children: SvgNode[]
  /** Ids of what is drawn again in its place: `use`, patterns, markers, masks. */
  readonly references: string[]
}

/** How many elements are drawn once all references are followed; `Infinity` where they go in circles. */
export function countExpanded(root: SvgNode, nodeById: ReadonlyMap<string, SvgNode>): number {
  const countByNode = new Map<SvgNode, number>()
  const count = (node: SvgNode): number => {
    const known = countByNode.get(node)
    if (known !== undefined) return known
    countByNode.set(node, Infinity)
    let total = 1
    for (const child of node.children) total += count(child)
    for (const id of node.references) {
      const target = nodeById.get(id)
      if (target) total += count(target)
    }
    countByNode.set(node, total)
    return total
  }
  return count(root) - 1
}
