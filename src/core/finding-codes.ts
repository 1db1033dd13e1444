// The codes of findings about designs and orders, for the renderer that reports them and the documents that list them.

/** The codes of findings, each with the meaning of its `value`; '' for codes without one. */
export const findingCodes = {
  design: '',
  page: '',
  value: 'the probable text, if the stored one looks damaged',
  feature: '',
  font: '',
  glyph: '',
  picture: '',
  drawing: '',
  box: '',
  limit: '',
  // Parts that can be drawn, but may not print well.
  resolution: 'dpi',
  line: 'pt',
  margin: 'mm between text and edge, negative if it is cut',
  bleed: 'mm a picture reaches beyond the edge',
  overflow: 'mm of text that are cut off',
  ink: '% of all inks together',
  rgb: '',
  // The file as a whole.
  mirror: '',
  // The order, not its design.
  'order-status': '',
  'order-refund': '',
  'order-quantity': '',
} as const

/** The kind of a finding, by which pages give advice. */
export type FindingCode = keyof typeof findingCodes
