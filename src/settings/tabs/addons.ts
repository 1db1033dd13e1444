// Settings tab `addons`: additional modules.
import { amount, checkbox, multiselect, number, section, select, setting, tab, text } from '../kinds.ts'

export const addons = tab('addons', [
  section('dynamic-views', 'Dynamic Views', [
    checkbox('svc_enableDynamicViews', 'Enable Dynamic Views').says(
      'Lets customers add, remove and resize views.',
    ),
    number('svc_dynamic_views_pricePerArea', 'Price Per CM2', 0, amount).says(
      'Price of each square centimeter of a view.',
    ),
    select('svc_dynamic_views_unit', 'Unit Of Length', 'mm', { choices: ['mm', 'cm', 'inch'] }).says(
      'Unit in which customers enter the size of a view.',
    ),
    setting('values-group', 'svc_dynamic_views_formats', 'Predefined Formats', '', {
      format: 'sizes',
    }).says('Sizes that customers can choose for a view, as width:height pairs separated by commas.'),
    number('svc_dynamic_views_minWidth', 'Minimum Width', 0, amount).says(
      'Smallest width of a view, in the unit of length.',
    ),
    number('svc_dynamic_views_minHeight', 'Minimum Height', 0, amount).says(
      'Smallest height of a view, in the unit of length.',
    ),
    number('svc_dynamic_views_maxWidth', 'Maximum Width', 1000, amount).says(
      'Largest width of a view, in the unit of length.',
    ),
    number('svc_dynamic_views_maxHeight', 'Maximum Height', 1000, amount).says(
      'Largest height of a view, in the unit of length.',
    ),
  ]),
  section('color-selection', 'Color Selection', [
    select('svc_color_selection_placement', 'Placement', '', { format: 'word' }).says(
      'Where the color selection stands on the product page; empty for nowhere.',
    ),
  ]),
  section('bulk-variations', 'Bulk Variations', [
    select('svc_bulkVariationsPlacement', 'Placement', '', { format: 'word' }).says(
      'Where the form for ordering several variations stands on the product page; empty for nowhere.',
    ),
    text('svc_bulkVariations_written', 'Variations').says(
      'Variations of the bulk form: attributes with their values, separated by semicolons.',
    ),
  ]),
  section('pricing-rules', 'Pricing Rules', [
    multiselect('svc_pricing_rules', 'Pricing Rule Groups').says(
      'Groups of pricing rules that apply to all products.',
    ),
  ]),
  section('3d-preview', '3D Preview', [
    select('svc_3d_preview_placement', 'Placement', 'designer', { format: 'word' }).says(
      'Where the three-dimensional preview stands.',
    ),
  ]),
  section('view-thumbnails', 'View Thumbnails', [
    select('svc_view_thumbnails_placement', 'Placement', 'none', { format: 'word' }).says(
      'Where the thumbnails of the views stand.',
    ),
  ]),
])
