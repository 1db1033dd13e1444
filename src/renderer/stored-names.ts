// The names of stored properties: those of the older format as the current ones, and which have no visible effect.
import { flagOf, isSet, type Properties } from './values.ts'

/** Names of the older format; the current name wins where a design has both. */
const older: readonly (readonly [older: string, current: string])[] = [
  ['x', 'left'],
  ['y', 'top'],
  ['degree', 'angle'],
  ['scale', 'scaleX'],
  ['scale', 'scaleY'],
  ['currentColor', 'fill'],
  ['textSize', 'fontSize'],
  ['font', 'fontFamily'],
  ['radius', 'curveRadius'],
  ['reverse', 'curveReverse'],
]

/** The properties of an element under their current names. */
export function currentNames(parameters: Properties): Properties {
  const current: Record<string, unknown> = { ...parameters }
  const has = (name: string) =>
    Object.hasOwn(parameters, name) && parameters[name] !== null && parameters[name] !== ''
  for (const [name, now] of older) {
    if (has(name) && !has(now)) current[now] = parameters[name]
  }
  // Fabric counts in thousandths of an em, the designer in tenths.
  if (has('charSpacing') && !has('letterSpacing'))
    current.letterSpacing = Number(parameters.charSpacing) / 100
  // In the older format elements were clipped only on request.
  if (has('boundingBoxClipping') && !has('boundingBoxMode'))
    current.boundingBoxMode = flagOf(parameters, 'boundingBoxClipping') ? 'clipping' : 'inside'
  return { ...current, ...ofForms(parameters, has) }
}

/**
 * Properties as the forms of the product builder store them: 0 for a choice that is off, and a bounding box in five fields, as
 * PHP passes them to the designer.
 */
function ofForms(parameters: Properties, has: (name: string) => boolean): Properties {
  const isOff = (name: string) => has(name) && (parameters[name] === 0 || parameters[name] === '0')
  const off = ['fill', 'filter'].filter(isOff).map((name) => [name, false])
  const box = isSet(parameters, 'boundingBox') ? undefined : flatBox(parameters, has)
  return {
    ...Object.fromEntries(off),
    ...(isOff('boundingBoxMode') && { boundingBoxMode: 'none' }),
    ...(box !== undefined && { boundingBox: box }),
  }
}

function flatBox(parameters: Properties, has: (name: string) => boolean): unknown {
  const { bounding_box_control: control } = parameters
  // A checkbox: the title of another element, or a rectangle.
  const isByOther = has('bounding_box_control') && control !== false && control !== 0 && control !== '0'
  if (isByOther)
    return has('bounding_box_by_other') ? String(parameters.bounding_box_by_other).trim() : undefined
  const sides = ['x', 'y', 'width', 'height'] as const
  if (!sides.every((side) => has(`bounding_box_${side}`))) return undefined
  return Object.fromEntries(sides.map((side) => [side, parameters[`bounding_box_${side}`]]))
}

const set = (...names: string[]) => new Set(names.join(' ').split(/\s+/))

/** Read by the renderer: drawn, or refused where they cannot be. */
const read = set(
  'left top angle scaleX scaleY flipX flipY skewX skewY originX originY opacity visible z topped uploadZone excludeFromExport',
  'shadow shadowColor shadowBlur shadowOffsetX shadowOffsetY stroke strokeWidth strokeUniform paintFirst strokeDashArray',
  'strokeDashOffset strokeLineCap strokeLineJoin strokeMiterLimit backgroundColor globalCompositeOperation clipPath mask pattern',
  'boundingBox boundingBoxMode usePrintingBoxAsBounding text fontFamily fontSize fontWeight fontStyle lineHeight letterSpacing',
  'charSpacing textAlign textDecoration textTransform textBackgroundColor underline linethrough overline textBox width height',
  'curved curveRadius curveReverse neonText engravedText styles path gradient direction splitByGrapheme fill svgFill colorMode',
  'bounding_box_control bounding_box_by_other bounding_box_x bounding_box_y bounding_box_width bounding_box_height',
  'filter filters cropX cropY cropped page source type textPlaceholder numberPlaceholder imageSmoothing autoCenter',
)

/** Of fabric.js and of the designer: they affect editing, selling and caching, not the look. */
const harmless = set(
  // Fabric: selection, controls, caching, what loads a picture.
  'absolutePositioned aCoords borderColor borderDashArray borderOpacityWhenMoving borderScaleFactor cacheHeight cacheKey',
  'cacheProperties cacheWidth caching canvas centeredRotation centeredScaling controls cornerColor cornerDashArray cornerSize',
  'cornerStrokeColor cornerStyle crossOrigin cursorColor cursorDelay cursorDuration cursorWidth dirty dynamicMinWidth editable',
  'editingBorderColor evented fillRule hasBorders hasControls hasRotatingPoint hoverCursor includeDefaultValues inCompositionMode',
  'isEditing isMoving lineCoords lockMovementX lockMovementY lockRotation lockScalingFlip lockScalingX lockScalingY lockSkewingX',
  'lockSkewingY matrixCache minimumScaleTrigger minScaleLimit minWidth moveCursor noScaleCache oCoords objectCaching ownCaching',
  'ownMatrixCache padding perPixelTargetFind pathStartOffset pathSide pathAlign resizeFilter rotatingPointOffset selectable',
  'selectionBackgroundColor selectionColor selectionEnd selectionStart snapAngle snapThreshold src srcFromAttribute stateProperties',
  'statefullCache strokeBorder strokeScale targetFindTolerance touchCornerSize transparentCorners version zoomX zoomY',
  // The designer: what customers may do, prices, colors on offer, links between elements.
  'advancedEditing allowedColors autoSelect availableFilters chargeAfterEditing colorLinkGroup colorPrices colors copyable',
  'currentColorPrice currentColorsPrices curvable customAdds cornerControlsStyle designCategories designCategory draggable',
  'editorMode elementClass excludeFromAdminPanel fixed formatText hasUploadZone hideInLayers id index initialText isCustom',
  'isCustomImage isCustomText isDesign isEditable isInitial locked lockUniScaling maxFontSize maxLength maxLines maxScale',
  'maxTextboxLines minDPI minFontSize minH minScale minW maxH maxW maxSize name numberPlaceholderParameters originParams patterns',
  'price prices printingMethod priceGroup removable replace replaceInAllViews replaceable resizable resizeToH resizeToW rotatable',
  'adds_designs adds_facebook adds_instagram adds_texts adds_uploads numberPlaceholderMax numberPlaceholderMin patternable printAreaId',
  'scaleMode showInColorSelection sku sortable svgPrice textLinkGroup textLinkGroupProps title tooltip uniScalingUnlockable',
  'uploadedDate uploadZoneMovable uploadZoneRemovable uploadZoneScaleMode uuid widthFontSize zChangeable viewIndex',
  // Of the older format: what its current names hold, and what the stored text and size already contain.
  ...older.map(([name]) => name),
  'curveSpacing boundingBoxClipping textNumberPlaceholder printingBox',
)

/** Properties with a value that are neither drawn nor known to have no effect; names of the designer's own state begin with `_`. */
export const unknownNames = (parameters: Properties): string[] =>
  Object.keys(parameters).filter(
    (name) => !read.has(name) && !harmless.has(name) && !name.startsWith('_') && isSet(parameters, name),
  )
