// Lists what drawings may contain: elements, attributes and properties. The sanitizer removes anything else.

export const svgNamespace = 'http://www.w3.org/2000/svg'
export const xlinkNamespace = 'http://www.w3.org/1999/xlink'
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Elements that draw something; a drawing without any of them is empty. */
export const shapeElements = wordSet('path rect circle ellipse line polyline polygon text image use')

/** Elements whose content is drawn only where another element refers to it. */
export const templateElements = wordSet(
  'defs symbol clipPath mask marker pattern linearGradient radialGradient filter',
)

/** Elements that contain text; elsewhere text is never rendered. */
export const textElements = wordSet('text title desc')

const filterElements = wordSet(`
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`)

/** All elements that stay in a drawing. */
export const allowedElements: ReadonlySet<string> = new Set([
  ...wordSet('svg g a switch view stop style tspan textPath'),
  ...shapeElements,
  ...templateElements,
  ...textElements,
  ...filterElements,
])

/** Active and animating elements, which are removed. They are listed to report that, and because they are not unknown elements. */
export const activeElements = wordSet(
  'script handler listener animate animateColor animateMotion animateTransform set mpath discard foreignObject iframe',
)

/** Properties that are also attributes. */
const presentationAttributes = wordSet(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering cursor cx cy d direction display dominant-baseline enable-background fill fill-opacity fill-rule
  filter flood-color flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant
  font-weight glyph-orientation-horizontal glyph-orientation-vertical height image-rendering isolation kerning
  letter-spacing lighting-color marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow
  paint-order pointer-events r rx ry shape-rendering stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor
  text-decoration text-orientation text-overflow text-rendering transform transform-box transform-origin
  unicode-bidi vector-effect visibility white-space width word-spacing writing-mode x y`)

/** CSS properties that stay in `style` attributes and style sheets; variables (`--name`) stay besides. */
export const allowedProperties: ReadonlySet<string> = new Set([
  ...presentationAttributes,
  ...wordSet(`
    font font-feature-settings font-kerning font-variant-alternates font-variant-caps font-variant-east-asian
    font-variant-ligatures font-variant-numeric font-variant-position font-variation-settings line-height marker
    mask-mode background background-color shape-inside shape-padding text-align text-decoration-color
    text-decoration-line text-decoration-style text-indent text-transform text-align-last solid-color
    solid-opacity word-break`),
])

/** Attributes without a namespace that stay. */
export const allowedAttributes: ReadonlySet<string> = new Set([
  ...presentationAttributes,
  ...wordSet(`
    amplitude azimuth baseFrequency baseProfile bias class clipPathUnits diffuseConstant divisor dx dy edgeMode
    elevation exponent filterRes filterUnits fr fx fy gradientTransform gradientUnits href id in in2 intercept k1 k2
    k3 k4 kernelMatrix kernelUnitLength lang lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth
    maskContentUnits maskUnits media method mode name numOctaves offset operator order orient pathLength
    patternContentUnits patternTransform patternUnits points pointsAtX pointsAtY pointsAtZ preserveAlpha
    preserveAspectRatio primitiveUnits radius refX refY requiredExtensions result role rotate scale
    seed side slope spacing specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles style
    surfaceScale systemLanguage tableValues targetX targetY textLength type values version viewBox x1 x2
    xChannelSelector y1 y2 yChannelSelector z`),
])

/** Text that is harmless in an id, a class or a link to an id, but that only attackers write there. */
export const suspicious = /url\s*\(|script\s*:|\/\/|\\/i

/** Text that would end a comment, a CDATA section or a raw text element if the drawing were inlined in an HTML page. */
export const breaksOut = /--!?>|\]>|<\/?[a-z!?]/i
