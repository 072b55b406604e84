/** By this field a node knows that another one has passed a request on, and which. */
export const forwardedField = 'sedge-node'
/** With it the node that writes says which number of the feed shows what it has just done. */
export const positionField = 'sedge-position'
