// Generated from the routes by `npm run generate`; do not edit.

export type AddProductViewBody = {
  /** 1 to 255 characters, not only whitespace. */
  "title": string
  /** URL of the thumbnail; "" if there is none. */
  "thumbnail"?: string
  /** Elements of the view */
  "elements"?: unknown[]
  /** Options of the view */
  "options"?: Record<string, unknown>
  /** Position from 0; the views behind it move back. Appended when absent. */
  "order"?: number
}

export type AnnouncePrintFileBody = {
  /** GUID of the print job; in the body it overrides the path. */
  "print_job_id"?: string
  /** http or https URL of the file, at most 4096 characters. */
  "file_url"?: string
}

export type AnnouncePrintFileResult = {
  /** GUID of the print job. */
  "print_job_id": string
  /** completed, or failed if the print provider refused the order permanently. */
  "status": string
  /** URL of the stored file. */
  "file_url": string | null
}

export type Category = {
  /** Id of the row. */
  "id": number
  "title": string
  /** Ids of the assigned products, ascending; with include_products. */
  "products"?: number[]
}

export type ColorLibrary = {
  /** Version of the format; 2. */
  "version": number
  "colors": Array<{
  /** 1 to 64 ASCII letters, digits, "_" or "-". */
  "id": string
  /** `#rrggbb`; `#rgb` is also accepted. */
  "hex": string
  /** Not empty. */
  "name": string
  /** Price that the color adds; at least 0. */
  "price"?: number
  [property: string]: unknown
}>
  "palettes": Array<{
  /** 1 to 64 ASCII letters, digits, "_" or "-". */
  "id": string
  /** Not empty. */
  "name": string
  /** Ids of the colors, each once. */
  "colorIds": string[]
  [property: string]: unknown
}>
  [property: string]: unknown
}

export type ColorLibraryUsages = {
  /** Palettes that contain the color. */
  "palettes": Array<{
  "id": string
  "name": string
}>
  "printProfiles": Array<{
  /** Id of the row. */
  "id": number
  "name": string
}>
  /** Whether the color is a swatch of the color picker. */
  "pickerPreset": boolean
  /** False when there was too much to search: then `products` is empty, and the other lists may be incomplete. */
  "productsChecked": boolean
  "products": Array<{
  /** Id of the row. */
  "id": number
  "title": string
}>
  /** Categories of the design library. */
  "designCategories": Array<{
  /** Id of the row. */
  "id": number
  "title": string
}>
}

export type CreateCategoryBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "title": string
}

export type CreateDesignCategoryBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "title": string
  /** Options of the category; replaced whole */
  "options"?: Record<string, unknown>
  /** URL of the thumbnail; "" if there is none. */
  "thumbnail"?: string
  /** Designs in order, each `{title, image, thumbnail?, parameters?}` or a graphic block `{title, elements, thumbnail?, parameters?, width?, height?}`; other properties are kept */
  "designs"?: unknown[]
  /** Id of the category above, 0 for a root. */
  "parent_id"?: number
  /** Position among its siblings, ascending; equal positions are ordered by title. */
  "order"?: number
}

export type CreatePricingRuleBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "name": string
  /** Conditions and price effects: `property`, `target {views, elements}`, `type` (any or all) and `rules [{operator, value, price}]`; other properties are kept */
  "data": Record<string, unknown>
}

export type CreatePrintProfileBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "name": string
  /** DPI, bleed, color handling, properties of custom texts and images; replaced whole */
  "data"?: Record<string, unknown>
  /** Whether it is the master; at most one profile is. */
  "is_master"?: boolean
}

export type CreateProductBody = {
  /** 1 to 255 characters, not only whitespace. */
  "title"?: string
  /** A catalog product is for sale; a template is a source of views for new products. */
  "type"?: "catalog" | "template"
  /** URL of the thumbnail; "" if there is none. */
  "thumbnail"?: string
  /** Options of the product */
  "options"?: Record<string, unknown>
  /** Ids of its categories, as a set. */
  "categories"?: number[]
  /** Id of the row. */
  "duplicate_product_id"?: number
  /** Id of the row. */
  "template_id"?: number
}

export type CreateShortcodeOrderBody = {
  /** At most 300 characters; plain text, never markup. */
  "customer_name"?: string
  /** An e-mail address, at most 100 characters; "" where none is known. */
  "customer_mail"?: string
  /** Customized views, at least one */
  "views": unknown[]
}

export type CreateTextTemplateBody = {
  /** The text, not only whitespace. */
  "text": string
  /** Name of an offered font, "" for the choice of the designer: an uploaded family, one of the system fonts or of the web fonts. */
  "font_family"?: string
  /** Pixels, 16 where none are given. */
  "font_size"?: number
  /** Default left. */
  "text_align"?: "left" | "center" | "right"
}

export type CreateUserInterfaceBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "name": string
  /** Panels and modules: `name, plugin_options, container_classes, css_colors, custom_css, toolbar_exclude_tools`; replaced whole */
  "data"?: Record<string, unknown>
  /** Whether it is the default; always exactly one layout is. */
  "is_default"?: boolean
}

export type DeletedAsset = {
  "key": string
  "deleted": true
}

export type DeletedFont = {
  "name": string
  "deleted": true
}

export type DeletedProduct = {
  /** Id of the row. */
  "id": number
  "deleted": true
}

export type DeletedTextTemplate = {
  /** Position in the list, from 0; it changes with the list. */
  "index": number
  "deleted": true
}

export type DesignCategory = {
  /** Id of the row. */
  "id": number
  "category_data": {
  /** Id of the row. */
  "id": number
  "title": string
  /** URL of the thumbnail; "" when there is none. */
  "thumbnail": string
  /** Id of the category above, 0 for a root. */
  "parent_id": number
  /** Position among its siblings, ascending. */
  "order": number
  /** Options of the category, as the designer wrote them */
  "options": Record<string, unknown> | null
  /** The options again, under the name that legacy clients read */
  "parameters": Record<string, unknown> | null
}
  /** Designs in order, as the designer wrote them */
  "designs": unknown[] | null
}

export type DuplicatePrintProfileBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "name": string
}

export type DuplicateViewBody = {
  /** 1 to 255 characters, not only whitespace. */
  "title"?: string
}

export type ExportOrderBody = {
  /** Source: wc (shop orders), shortcode (sc) or gf (form entries). */
  "type"?: string
  /** One item of the order. */
  "item_id"?: number
  /** Defaults to the export settings. */
  "output_format"?: "svg-pdf" | "png" | "jpeg" | "svg"
  /** Dots per inch of pictures. */
  "dpi"?: number
  /** Adds the fonts in use. */
  "include_font_files"?: boolean
  /** Adds a summary of the order. */
  "summary_json"?: boolean
}

export type ExportOrderResult = {
  /** GUID of the print job. */
  "print_job_id": string
  /** Id of the row. */
  "order_id": number
  /** As requested: wc (shop orders), shortcode (sc) or gf (form entries). */
  "order_type": string
  "item_id": number | null
  /** completed or failed if the job ended while the request waited, else processing; pending when the service did not respond in time. */
  "status": string
  /** URL of the print file; null until it is stored. */
  "file_url": string | null
  /** Path of the print file below the folder of print files. */
  "file": string | null
}

export type ListAssetsItem = {
  /** Name of the asset for this API: its path below the folder of uploads. */
  "key": string
  /** Public URL of the stored file. */
  "url": string
  /** Name of the stored file. */
  "filename": string
  /** Width in pixels; null for a PDF, and for a drawing without a size of its own. */
  "width": number | null
  /** Height in pixels; null for a PDF, and for a drawing without a size of its own. */
  "height": number | null
  /** Bytes of the stored file. */
  "size": number
  /** Unix seconds. */
  "modified": number
  /** Type of the content, as it was verified. */
  "mime_type": string
}

export type ListDesignCategoriesItem = {
  /** Id of the row. */
  "id": number
  "title": string
  /** URL of the thumbnail; "" when there is none. */
  "thumbnail": string
  /** Id of the category above, 0 for a root. */
  "parent_id": number
  /** Position among its siblings, ascending. */
  "order": number
  /** Options of the category, as the designer wrote them */
  "options": Record<string, unknown> | null
  /** Number of its designs; null where they cannot be read. */
  "designs_count": number | null
  /** Number of its direct children. */
  "children_count": number
}

export type ListFontsItem = {
  /** Name of the family. */
  "name": string
  /** Name of the base file in the fonts folder. */
  "file": string
  /** Public URL of the base file. */
  "url": string
  /** URLs of the existing variants. */
  "variants": {
  /** URL of the bold variant. */
  "bold"?: string
  /** URL of the italic variant. */
  "italic"?: string
  /** URL of the bold italic variant. */
  "bolditalic"?: string
}
}

export type ListOrdersItem = {
  /** Id of the row. */
  "id": number
  "order_number"?: string
  /** ISO 8601 in UTC. */
  "created_date": string | null
  /** Without the prefix wc-. */
  "status"?: string
  "customer_name": string
  "customer_mail": string
  "order_items"?: Array<{
  /** Id of the row. */
  "id": number
  "name": string
  /** Newest completed print file. */
  "print_file_url": string | null
}>
  /** Newest completed print file. */
  "print_file_url"?: string | null
}

export type ListSettingsItem = {
  /** Option key; starts with svc_. */
  "id": string
  "label": string
  "description": string
  /** checkbox: boolean; number: number; multiselect, select-sortable: array; color-lists: object; all others: string. */
  "type": "checkbox" | "number" | "text" | "password" | "upload" | "select" | "radio" | "multiselect" | "select-sortable" | "multi-color-input" | "values-group" | "color-lists" | "text-templates" | "color-library"
  /** Value when nothing is stored. */
  "default": unknown
  /** Slug of the tab. */
  "tab": string
  /** Slug of the section. */
  "section": string
  "sectionLabel": string
}

export type Meta = {
  /** Source of the listed orders, as requested. */
  "type"?: string
  "total"?: number
  "page"?: number
  "limit"?: number
  "offset"?: number
  "pages"?: number
  "unreadable"?: Array<{
  /** Id of the row; the key of an option. */
  "id": number | string
  /** Column whose stored value cannot be read; the property is null. */
  "column": string
  /** Present if the value belongs to a nested item. */
  "table"?: string
}>
  /** What of the written design cannot be drawn as it is. */
  "warnings"?: string[]
  /** Keys whose values are never shown. */
  "masked"?: string[]
  /** Whether the color library was saved. */
  "persisted"?: boolean
  /** Version of the color library. */
  "version"?: number
}

export type Order = {
  /** Id of the row. */
  "order_id": number
  /** As requested: wc (shop orders), shortcode (sc) or gf (form entries). */
  "type": string
  /** item_id, item_key and the customization of each item, as the designer wrote it */
  "items": unknown[] | null
}

export type PricingRule = {
  /** Id of the row. */
  "id": number
  "name": string
  /** Conditions and price effects */
  "data": Record<string, unknown> | null
}

export type PrintJob = {
  /** Id of the row. */
  "id": number
  /** UUID, or 13 hex digits in old jobs; names the job in the notification. */
  "guid": string
  /** pending, processing, completed or failed. */
  "status": string
  /** What is printed: order, item and options of the export */
  "details": Record<string, unknown> | null
  /** Why the last attempt failed; null when it did not. */
  "error": {
  "code": string
  "message": string
} | null
  /** What the renderer found worth a look, and what the print provider ordered otherwise; absent where there is nothing. */
  "warnings"?: string[]
  /** URL of the print file once it is stored. */
  "file_url": string | null
  /** ISO 8601 in UTC. */
  "created_at": string | null
}

export type PrintProfile = {
  /** Id of the row. */
  "id": number
  "name": string
  /** Whether it is the master; at most one profile is. */
  "is_master": boolean
  /** Settings of the profile; with include_data */
  "data"?: Record<string, unknown> | null
}

export type Product = {
  /** Id of the row. */
  "id": number
  "title": string
  /** A catalog product is for sale; a template is a source of views for new products. */
  "type": "catalog" | "template"
  /** URL of the thumbnail; "" when there is none. */
  "thumbnail": string
  /** Options of the product, as the designer wrote them */
  "options": Record<string, unknown> | null
  /** CMS user who created it; 0 for products of this API. */
  "user_id": number
  /** Ids of its categories, ascending. */
  "categories": number[]
  /** Its views in order, with include_views. */
  "views"?: View[]
}

export type ReplaceTextTemplatesBody = {
  /** The whole list; templates that are not in it are removed. */
  "templates": Array<{
  /** Position in the current list of the template that this one continues. */
  "index"?: number
  /** The text; only whitespace where the continued template has the same. */
  "text": string
  /** Name of an offered font, "" for the choice of the designer: an uploaded family, one of the system fonts or of the web fonts. */
  "font_family"?: string
  /** Pixels, 16 where none are given. */
  "font_size"?: number
  /** Default left. */
  "text_align"?: "left" | "center" | "right"
}>
}

export type SetPrintProfileMasterBody = {
  /** True when absent. */
  "is_master"?: boolean
}

export type SettingsGroup = {
  "tab": string
  "sections": Array<{
  "section": string
  "sectionLabel": string
  "options": Array<{
  /** Option key; starts with svc_. */
  "id": string
  "label": string
  "description": string
  /** checkbox: boolean; number: number; multiselect, select-sortable: array; color-lists: object; all others: string. */
  "type": "checkbox" | "number" | "text" | "password" | "upload" | "select" | "radio" | "multiselect" | "select-sortable" | "multi-color-input" | "values-group" | "color-lists" | "text-templates" | "color-library"
  /** Value when nothing is stored. */
  "default": unknown
  /** Slug of the tab. */
  "tab": string
  /** Slug of the section. */
  "section": string
  "sectionLabel": string
  /** Typed value; null for secrets and for settings with a route of their own. */
  "value": unknown
  /** The route to use instead. */
  "route"?: string
}>
}>
}

export type ShortcodeOrder = {
  /** Id of the row. */
  "id": number
  "customer_name": string
  "customer_mail": string
  /** ISO 8601 in UTC. */
  "created_date": string | null
  /** Customized views, as the designer wrote them */
  "views"?: unknown[] | null
}

export type SystemInfo = {
  "plugin": string
  "version": string
  "api_namespace": "svc/v1"
  "site_url": string
  /** Base URL of the namespace. */
  "rest_base": string
  "integrations": {
  /** For a storage: whether new files are stored there. */
  "woocommerce": boolean
  /** For a storage: whether new files are stored there. */
  "gravity_forms": boolean
  /** For a storage: whether new files are stored there. */
  "elementor": boolean
  /** For a storage: whether new files are stored there. */
  "printful": boolean
  /** For a storage: whether new files are stored there. */
  "s3": boolean
  /** For a storage: whether new files are stored there. */
  "dropbox": boolean
}
  "counts": {
  /** May be a second old. */
  "products": number
  /** May be a second old. */
  "templates": number
  /** May be a second old. */
  "views": number
  /** May be a second old. */
  "categories": number
  /** May be a second old. */
  "design_categories": number
  /** May be a second old. */
  "designs": number
  /** May be a second old. */
  "pricing_rules": number
  /** May be a second old. */
  "print_profiles": number
  /** May be a second old. */
  "user_interfaces": number
  /** May be a second old. */
  "shortcode_orders": number
  /** May be a second old. */
  "print_jobs": number
  /** May be a second old. */
  "fonts": number
  /** May be a second old. */
  "text_templates": number
  /** May be a second old. */
  "colors": number
}
  "controllers": {
  "products": boolean
  "assets": boolean
  "categories": boolean
  "design_categories": boolean
  "pricing_rules": boolean
  "print_profiles": boolean
  "user_interfaces": boolean
  "shortcode_orders": boolean
  "print_jobs": boolean
  "settings": boolean
  "fonts": boolean
  "text_templates": boolean
  "color_library": boolean
}
}

export type TextTemplate = {
  /** Position in the list, from 0; it changes with the list. */
  "index": number
  "text": string
  /** Name of the font family, or "". */
  "font_family": string
  /** Font size in pixels. */
  "font_size": number
  /** Default left. */
  "text_align": "left" | "center" | "right"
}

export type UpdateCategoryBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "title"?: string
  /** The whole assignment, as a set. */
  "products"?: number[]
  "id"?: unknown
}

export type UpdateDesignCategoryBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "title"?: string
  /** Options of the category; replaced whole */
  "options"?: Record<string, unknown>
  /** URL of the thumbnail; "" if there is none. */
  "thumbnail"?: string
  /** Designs in order, each `{title, image, thumbnail?, parameters?}` or a graphic block `{title, elements, thumbnail?, parameters?, width?, height?}`; other properties are kept */
  "designs"?: unknown[]
  /** Id of the category above, 0 for a root. */
  "parent_id"?: number
  /** Position among its siblings, ascending; equal positions are ordered by title. */
  "order"?: number
  "id"?: unknown
  "parameters"?: unknown
  "designs_count"?: unknown
  "children_count"?: unknown
  "category_data"?: unknown
}

export type UpdateOrderBody = {
  /** Source: wc (shop orders), shortcode (sc) or gf (form entries). */
  "type"?: string
  /** The item of a wc order. Without it, the id in the path is the id of the item. */
  "item_id"?: number
  /** The whole customization, which replaces the stored one. An item as GET returns it may be sent back, or to another item */
  "order": Record<string, unknown> | unknown[]
}

export type UpdatePricingRuleBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "name"?: string
  /** Conditions and price effects: `property`, `target {views, elements}`, `type` (any or all) and `rules [{operator, value, price}]`; other properties are kept */
  "data"?: Record<string, unknown>
  "id"?: unknown
}

export type UpdatePrintProfileBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "name"?: string
  /** DPI, bleed, color handling, properties of custom texts and images; replaced whole */
  "data"?: Record<string, unknown>
  /** Whether it is the master; at most one profile is. */
  "is_master"?: boolean
  "id"?: unknown
}

export type UpdateProductBody = {
  /** 1 to 255 characters, not only whitespace. */
  "title"?: string
  /** A catalog product is for sale; a template is a source of views for new products. */
  "type"?: "catalog" | "template"
  /** URL of the thumbnail; "" if there is none. */
  "thumbnail"?: string
  /** Merged into the stored options; null removes a property. With merge=false it replaces them */
  "options"?: Record<string, unknown>
  /** Ids of its categories, as a set. */
  "categories"?: number[]
  /** Every view of the product once, in the new order. */
  "sorted_views"?: Array<{
  /** Id of the row. */
  "id": number
}>
  "id"?: unknown
  "user_id"?: unknown
  "views"?: unknown
}

export type UpdateShortcodeOrderBody = {
  /** At most 300 characters; plain text, never markup. */
  "customer_name"?: string
  /** An e-mail address, at most 100 characters; "" where none is known. */
  "customer_mail"?: string
  /** Customized views, at least one */
  "views"?: unknown[]
  "id"?: unknown
  "created_date"?: unknown
}

export type UpdateTextTemplateBody = {
  /** The text, not only whitespace. */
  "text"?: string
  /** Name of an offered font, "" for the choice of the designer: an uploaded family, one of the system fonts or of the web fonts. */
  "font_family"?: string
  /** Pixels, 16 where none are given. */
  "font_size"?: number
  /** Default left. */
  "text_align"?: "left" | "center" | "right"
  "index"?: unknown
}

export type UpdateUserInterfaceBody = {
  /** 1 to 255 characters. Whitespace around the title is removed. */
  "name"?: string
  /** Panels and modules: `name, plugin_options, container_classes, css_colors, custom_css, toolbar_exclude_tools`; replaced whole */
  "data"?: Record<string, unknown>
  /** Whether it is the default; always exactly one layout is. */
  "is_default"?: boolean
  "id"?: unknown
}

export type UpdateViewBody = {
  /** 1 to 255 characters, not only whitespace. */
  "title"?: string
  /** URL of the thumbnail; "" if there is none. */
  "thumbnail"?: string
  /** Replaces all elements */
  "elements"?: unknown[]
  /** Merged into the stored options, null removes a property. With merge=false it replaces them */
  "options"?: Record<string, unknown>
  /** Id of the row. */
  "product_id"?: number
  "id"?: unknown
  "order"?: unknown
}

export type UploadAssetBody = {
  /** A PNG, JPEG, SVG or PDF. */
  "file": Blob
}

export type UploadAssetResult = {
  /** Name of the asset for this API: its path below the folder of uploads. */
  "key": string
  /** Public URL of the stored file. */
  "url": string
  /** Stem of the stored file. */
  "filename": string
  /** Width in pixels; null for a PDF, and for a drawing without a size of its own. */
  "width": number | null
  /** Height in pixels; null for a PDF, and for a drawing without a size of its own. */
  "height": number | null
  /** Bytes of the stored file. */
  "size": number
  /** Unix seconds. */
  "modified": number
  /** Type of the content, as it was verified. */
  "mime_type": string
  /** The same as `url`. */
  "image_src": string
  /** What was changed in the file, and which limits of the master print profile it misses. */
  "warning": string | null
}

export type UploadFontBody = {
  /** A TrueType font. */
  "file": Blob
  /** Name of the family instead of that of the file. */
  "name"?: string
}

export type UserInterface = {
  /** Id of the row. */
  "id": number
  "name": string
  /** Whether it is the default; always exactly one layout is. */
  "is_default": boolean
  /** Panels and modules of the layout; with include_data */
  "data"?: Record<string, unknown> | null
}

export type View = {
  /** Id of the row. */
  "id": number
  /** Id of the row. */
  "product_id": number
  "title": string
  /** URL of the thumbnail; "" if there is none. */
  "thumbnail": string
  /** Elements of the view, as the designer stored them */
  "elements": unknown[] | null
  /** Options of the view, as the designer stored them */
  "options": Record<string, unknown> | null
  /** Position among the views of the product, from 0. */
  "order": number
}

export type Error = {
  "success": false
  /** Machine-readable code. */
  "code": string
  /** One sentence that names the offending field or value. */
  "message": string
  "data": {
  /** The HTTP status. */
  "status": number
  /** The invalid or missing parameters. */
  "params"?: Record<string, unknown> | string[]
  /** Id of the request in the log, for a 5xx. */
  "request_id"?: string
}
  /** All problems of the request. */
  "errors"?: string[]
  /** The diagnosis of another service that refused. */
  "error"?: Record<string, unknown>
}
