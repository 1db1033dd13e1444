// Knows the names of stored properties: translates those of older formats and forms, and finds names that the renderer does not know.
import { flagOf, isSet, type Properties } from './values.ts'

/** Names of the older format with their current ones; if a design has both, the current one counts. */
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

/** The properties of an element under their current names, with the values of forms as the designer stores them. */
export function currentNames(parameters: Properties): Properties {
  const current: Record<string, unknown> = { ...parameters }
  const has = (name: string) =>
    Object.hasOwn(parameters, name) && parameters[name] !== null && parameters[name] !== ''
  for (const [name, currentName] of older) {
    if (has(name) && !has(currentName)) current[currentName] = parameters[name]
  }
  // Fabric counts in thousandths of an em, the designer in tenths.
  if (has('charSpacing') && !has('letterSpacing'))
    current.letterSpacing = Number(parameters.charSpacing) / 100
  // In the older format elements were clipped only on request.
  if (has('boundingBoxClipping') && !has('boundingBoxMode'))
    current.boundingBoxMode = flagOf(parameters, 'boundingBoxClipping') ? 'clipping' : 'inside'
  return { ...current, ...formValues(parameters, has) }
}

/**
 * Properties that the forms of the product builder store differently, as PHP passes them to the designer: 0 for a choice that is
 * off, and a bounding box in five fields.
 */
function formValues(parameters: Properties, has: (name: string) => boolean): Properties {
  const isOff = (name: string) => has(name) && (parameters[name] === 0 || parameters[name] === '0')
  const off = ['fill', 'filter'].filter(isOff).map((name) => [name, false])
  const box = isSet(parameters, 'boundingBox') ? undefined : flatBox(parameters, has)
  return {
    ...Object.fromEntries(off),
    ...(isOff('boundingBoxMode') && { boundingBoxMode: 'none' }),
    ...(box !== undefined && { boundingBox: box }),
  }
}

/** The bounding box in the fields of a form: a checkbox decides between the title of an element and a rectangle. Undefined if it is incomplete. */
function flatBox(parameters: Properties, has: (name: string) => boolean): unknown {
  const { bounding_box_control: control } = parameters
  const isByOther = has('bounding_box_control') && control !== false && control !== 0 && control !== '0'
  if (isByOther)
    return has('bounding_box_by_other') ? String(parameters.bounding_box_by_other).trim() : undefined
  const sides = ['x', 'y', 'width', 'height'] as const
  if (!sides.every((side) => has(`bounding_box_${side}`))) return undefined
  return Object.fromEntries(sides.map((side) => [side, parameters[`bounding_box_${side}`]]))
}

const nameSet = (...names: string[]) => new Set(names.join(' ').split(/\s+/))

/** Properties that the renderer reads: it draws them, or refuses values that it cannot draw. */
const readNames = nameSet(
  'left top angle scaleX scaleY flipX flipY skewX skewY originX originY opacity visible z topped uploadZone excludeFromExport',
  'shadow shadowColor shadowBlur shadowOffsetX shadowOffsetY stroke strokeWidth strokeUniform paintFirst strokeDashArray',
  'strokeDashOffset strokeLineCap strokeLineJoin strokeMiterLimit backgroundColor globalCompositeOperation clipPath mask pattern',
  'boundingBox boundingBoxMode usePrintingBoxAsBounding text fontFamily fontSize fontWeight fontStyle lineHeight letterSpacing',
  'charSpacing textAlign textDecoration textTransform textBackgroundColor underline linethrough overline textBox width height',
  'curved curveRadius curveReverse neonText engravedText styles path gradient direction splitByGrapheme fill svgFill colorMode',
  'bounding_box_control bounding_box_by_other bounding_box_x bounding_box_y bounding_box_width bounding_box_height',
  'filter filters cropX cropY cropped page source type textPlaceholder numberPlaceholder imageSmoothing autoCenter',
)

/** Properties of fabric.js and the designer that affect editing, selling and caching, not the look. */
const harmlessNames = nameSet(
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
  // The older format: names that `currentNames` translates, and effects that the stored text and size already contain.
  ...older.map(([name]) => name),
  'curveSpacing boundingBoxClipping textNumberPlaceholder printingBox',
)

/** The names of properties with a value that the renderer does not know. Names with `_` are internal state of the designer. */
export const unknownNames = (parameters: Properties): string[] =>
  Object.keys(parameters).filter(
    (name) =>
      !readNames.has(name) && !harmlessNames.has(name) && !name.startsWith('_') && isSet(parameters, name),
  )
