// Generated from the routes by `npm run generate`; do not edit.
import type * as R from './resources.ts'

/** Parameters and data of each operation. */
export interface Operations {
  /** Get information about the installation. Version, URLs, active toggles, installed integrations and the number of each resource. */
  get_system_info: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.SystemInfo
  }
  /** List products. Catalog products by default. */
  list_products: {
    args: {
      page?: number
      /** Items per page. */
      limit?: number
      /** Part of the title or name, case-insensitive; no wildcards. */
      search?: string
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      /** Adds the views. */
      include_views?: boolean
      /** Id of the row. */
      category_id?: number
      /** Only this type, or all. */
      type?: "catalog" | "template" | "all"
      order_by?: "id" | "title"
      order?: "asc" | "desc"
    }
    data: R.Product[]
  }
  /** Create a product. From a title, as a copy of a product (`duplicate_product_id`) or from a template (`template_id`). */
  create_product: {
    args: {
      /** Adds the views. */
      include_views?: boolean
      body?: R.CreateProductBody
    }
    data: R.Product
  }
  /** Get a product. */
  get_product: {
    args: {
      /** Id of the row. */
      id: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Adds the views. */
      include_views?: boolean
    }
    data: R.Product
  }
  /** Update a product. Merges `options` into the stored ones; `merge=false` replaces them. `sorted_views` reorders the views. */
  update_product: {
    args: {
      /** Id of the row. */
      id: number
      /** Adds the views. */
      include_views?: boolean
      /** false replaces the stored options instead of merging. */
      merge?: boolean
      body?: R.UpdateProductBody
    }
    data: R.Product
  }
  /** Delete a product. Deletes its views and its category assignments, too. */
  delete_product: {
    args: {
      /** Id of the row. */
      id: number
    }
    data: R.DeletedProduct
  }
  /** Preview a view of a product. The whole stage as PNG. */
  get_product_preview: {
    args: {
      /** Id of the row. */
      id: number
      /** Position of the view, from 0. */
      view?: number
      /** Width in pixels. A very high view is drawn narrower. */
      width?: number
    }
    data: Blob
  }
  /** List the views of a product. In order; all of them, unless `page` or `limit` is given. */
  list_product_views: {
    args: {
      /** Id of the row. */
      id: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      page?: number
      /** Items per page. */
      limit?: number
    }
    data: R.View[]
  }
  /** Add a view to a product. */
  add_product_view: {
    args: {
      /** Id of the row. */
      id: number
      body: R.AddProductViewBody
    }
    data: R.View
  }
  /** Get a view. */
  get_view: {
    args: {
      /** Id of the row. */
      id: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.View
  }
  /** Update a view. Merges `options` into the stored ones; `merge=false` replaces them. `product_id` moves the view to another product; `sorted_views` of the product changes the order. */
  update_view: {
    args: {
      /** Id of the row. */
      id: number
      /** false replaces the stored options instead of merging. */
      merge?: boolean
      body?: R.UpdateViewBody
    }
    data: R.View
  }
  /** Delete a view. The remaining views close the gap in the order. */
  delete_view: {
    args: {
      /** Id of the row. */
      id: number
    }
    data: R.DeletedProduct
  }
  /** Preview a view. The whole stage as PNG. */
  get_view_preview: {
    args: {
      /** Id of the row. */
      id: number
      /** Width in pixels. A very high view is drawn narrower. */
      width?: number
    }
    data: Blob
  }
  /** Duplicate a view. The copy follows the original. */
  duplicate_view: {
    args: {
      /** Id of the row. */
      id: number
      body?: R.DuplicateViewBody
    }
    data: R.View
  }
  /** List assets. Uploaded pictures, drawings and PDFs, newest first. */
  list_assets: {
    args: {
      page?: number
      /** Items per page. */
      limit?: number
      /** Part of the client's or of the stored name, whatever its case; no wildcards. */
      search?: string
      /** Only files of this type. */
      type?: "png" | "jpeg" | "svg" | "pdf"
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.ListAssetsItem[]
  }
  /** Upload an asset. One PNG, JPEG, SVG or PDF. */
  upload_asset: {
    args: {
      body: R.UploadAssetBody
    }
    data: R.UploadAssetResult
  }
  /** Delete an asset. */
  delete_asset: {
    args: {
      /** The `key` of the asset. */
      key: string
    }
    data: R.DeletedAsset
  }
  /** List product categories. */
  list_categories: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      /** Adds the ids of its products. */
      include_products?: boolean
    }
    data: R.Category[]
  }
  /** Create a product category. Titles are unique, compared without case. */
  create_category: {
    args: {
      body: R.CreateCategoryBody
    }
    data: R.Category
  }
  /** Get a product category. */
  get_category: {
    args: {
      /** Id of the row. */
      id: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Adds the ids of its products. */
      include_products?: boolean
    }
    data: R.Category
  }
  /** Update a product category. */
  update_category: {
    args: {
      /** Id of the row. */
      id: number
      body?: R.UpdateCategoryBody
    }
    data: R.Category
  }
  /** Delete a product category. Its products stay. */
  delete_category: {
    args: {
      /** Id of the row. */
      id: number
    }
    data: R.DeletedProduct
  }
  /** Remove all products from a category. The category and the products stay. */
  clear_category: {
    args: {
      /** Id of the row. */
      id: number
    }
    data: R.Category
  }
  /** List the settings catalog. What each setting is, without values. */
  list_settings: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Part of the title or name, case-insensitive; no wildcards. */
      search?: string
      /** Slug of a tab or section. */
      tab?: string
    }
    data: R.ListSettingsItem[]
  }
  /** Update settings. A flat map of keys and values, all or nothing. Secrets and the API token can only be set or cleared, never read. They and where files go can be changed with all rights only. */
  update_settings: {
    args: {
      body?: Record<string, unknown>
    }
    data: Record<string, unknown>
  }
  /** Get the values of settings. Up to 100 keys at once. Secrets are null and listed in `meta.masked`. */
  get_settings: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Keys of the settings. */
      keys: string[]
    }
    data: Record<string, unknown>
  }
  /** Get a group of settings with values. */
  get_settings_group: {
    args: {
      /** Slug of a tab or section. */
      tab: string
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.SettingsGroup
  }
  /** List text templates. */
  list_text_templates: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.TextTemplate[]
  }
  /** Create a text template. Appended to the list. */
  create_text_template: {
    args: {
      body: R.CreateTextTemplateBody
    }
    data: R.TextTemplate
  }
  /** Replace all text templates. The list is stored as sent; an item with `index` continues the stored one. */
  replace_text_templates: {
    args: {
      body: R.ReplaceTextTemplatesBody
    }
    data: R.TextTemplate[]
  }
  /** Get a text template. */
  get_text_template: {
    args: {
      /** Position in the list, from 0; it changes with the list. */
      index: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.TextTemplate
  }
  /** Update a text template. */
  update_text_template: {
    args: {
      /** Position in the list, from 0; it changes with the list. */
      index: number
      body?: R.UpdateTextTemplateBody
    }
    data: R.TextTemplate
  }
  /** Delete a text template. The following templates move up by one. */
  delete_text_template: {
    args: {
      /** Position in the list, from 0; it changes with the list. */
      index: number
    }
    data: R.DeletedTextTemplate
  }
  /** Get the color library. All colors and palettes. */
  get_color_library: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.ColorLibrary
  }
  /** Save the color library. Replaces all colors and palettes; everything is validated first. */
  save_color_library: {
    args: {
      body?: Record<string, unknown>
    }
    data: R.ColorLibrary
  }
  /** Find where a color or palette is used. Settings, print profiles, designs, products and views that refer to it. */
  get_color_library_usages: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Id of the color or palette. */
      id: string
      /** What the id is of. */
      type: "color" | "palette"
    }
    data: R.ColorLibraryUsages
  }
  /** List design categories. As a flat list with `parent_id`. */
  list_design_categories: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      /** Part of the title or name, case-insensitive; no wildcards. */
      search?: string
      page?: number
      /** 1 to 100, or -1 for all. */
      limit?: unknown | -1
      /** Only categories without a parent. */
      only_roots?: boolean
      /** Id of the category above, 0 for a root. */
      parent_id?: number
    }
    data: R.ListDesignCategoriesItem[]
  }
  /** Create a design category. */
  create_design_category: {
    args: {
      body: R.CreateDesignCategoryBody
    }
    data: R.DesignCategory
  }
  /** Get a design category with its designs. */
  get_design_category: {
    args: {
      /** Id of the row. */
      id: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.DesignCategory
  }
  /** Update a design category. Its data, its designs, or both. The designs are replaced as a whole. */
  update_design_category: {
    args: {
      /** Id of the row. */
      id: number
      body?: R.UpdateDesignCategoryBody
    }
    data: R.DesignCategory
  }
  /** Delete a design category. Its subcategories move up to its parent; its designs are deleted. */
  delete_design_category: {
    args: {
      /** Id of the row. */
      id: number
    }
    data: R.DeletedProduct
  }
  /** List pricing rules. */
  list_pricing_rules: {
    args: {
      /** Number of items to skip. */
      offset?: number
      /** Maximum number of items. */
      limit?: number
      /** Part of the title or name, case-insensitive; no wildcards. */
      search?: string
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      order_by?: "id" | "id ASC" | "id DESC" | "id asc" | "id desc" | "name" | "name ASC" | "name DESC" | "name asc" | "name desc"
    }
    data: R.PricingRule[]
  }
  /** Create a pricing rule. */
  create_pricing_rule: {
    args: {
      body: R.CreatePricingRuleBody
    }
    data: R.PricingRule
  }
  /** Get a pricing rule. */
  get_pricing_rule: {
    args: {
      /** Id of the row. */
      id: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.PricingRule
  }
  /** Update a pricing rule. A given `data` replaces the stored one. */
  update_pricing_rule: {
    args: {
      /** Id of the row. */
      id: number
      body?: R.UpdatePricingRuleBody
    }
    data: R.PricingRule
  }
  /** Delete a pricing rule. */
  delete_pricing_rule: {
    args: {
      /** Id of the row. */
      id: number
    }
    data: R.DeletedProduct
  }
  /** List print profiles. */
  list_print_profiles: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      /** Adds the data. */
      include_data?: boolean
    }
    data: R.PrintProfile[]
  }
  /** Create a print profile. */
  create_print_profile: {
    args: {
      /** Adds the data. */
      include_data?: boolean
      body: R.CreatePrintProfileBody
    }
    data: R.PrintProfile
  }
  /** Get a print profile. By its id, or `master` for the marked one. */
  get_print_profile: {
    args: {
      /** Id of the row, or `master`. */
      id: number | "master"
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Adds the data. */
      include_data?: boolean
    }
    data: R.PrintProfile
  }
  /** Update a print profile. */
  update_print_profile: {
    args: {
      /** Id of the row, or `master`. */
      id: number | "master"
      /** Adds the data. */
      include_data?: boolean
      body?: R.UpdatePrintProfileBody
    }
    data: R.PrintProfile
  }
  /** Delete a print profile. The master cannot be deleted. */
  delete_print_profile: {
    args: {
      /** Id of the row, or `master`. */
      id: number | "master"
    }
    data: R.DeletedProduct
  }
  /** Duplicate a print profile. The copy is never the master. */
  duplicate_print_profile: {
    args: {
      /** Id of the row, or `master`. */
      id: number | "master"
      /** Adds the data. */
      include_data?: boolean
      body: R.DuplicatePrintProfileBody
    }
    data: R.PrintProfile
  }
  /** Make a print profile the master. Or clear the mark with `is_master: false`. There is at most one master. */
  set_print_profile_master: {
    args: {
      /** Id of the row, or `master`. */
      id: number | "master"
      /** Adds the data. */
      include_data?: boolean
      body?: R.SetPrintProfileMasterBody
    }
    data: R.PrintProfile
  }
  /** List user interfaces. */
  list_user_interfaces: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      /** Adds the data. */
      include_data?: boolean
    }
    data: R.UserInterface[]
  }
  /** Create a user interface. */
  create_user_interface: {
    args: {
      /** Adds the data. */
      include_data?: boolean
      body: R.CreateUserInterfaceBody
    }
    data: R.UserInterface
  }
  /** Get a user interface. By its id, or `default` for the marked one. */
  get_user_interface: {
    args: {
      /** Id of the row, or `default`. */
      id: number | "default"
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Adds the data. */
      include_data?: boolean
    }
    data: R.UserInterface
  }
  /** Update a user interface. */
  update_user_interface: {
    args: {
      /** Id of the row, or `default`. */
      id: number | "default"
      /** Adds the data. */
      include_data?: boolean
      body?: R.UpdateUserInterfaceBody
    }
    data: R.UserInterface
  }
  /** Delete a user interface. The default cannot be deleted. */
  delete_user_interface: {
    args: {
      /** Id of the row, or `default`. */
      id: number | "default"
    }
    data: R.DeletedProduct
  }
  /** List font families. */
  list_fonts: {
    args: {
      /** Part of the title or name, case-insensitive; no wildcards. */
      search?: string
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.ListFontsItem[]
  }
  /** Upload a font. One TrueType file. The suffixes `__bold`, `__italic` and `__bolditalic` of its name make variants. */
  upload_font: {
    args: {
      body: R.UploadFontBody
    }
    data: R.ListFontsItem
  }
  /** Delete a font family. With all its variants. */
  delete_font: {
    args: {
      /** Name of the family. */
      name: string
    }
    data: R.DeletedFont
  }
  /** List orders with customizations. Those of one source. */
  list_orders: {
    args: {
      page?: number
      /** Items per page. */
      limit?: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      /** Source: wc (shop orders), shortcode (sc) or gf (form entries). */
      type?: string
      /** Part of the customer name, order number or e-mail address; no wildcards. */
      search?: string
    }
    data: R.ListOrdersItem[]
  }
  /** Get the customization of an order. */
  get_order: {
    args: {
      /** Id of the row. */
      id: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Source: wc (shop orders), shortcode (sc) or gf (form entries). */
      type?: string
      /** One item of the order. */
      item_id?: number
      /** Meta key of the data. The three generations are resolved together; any other key is read as it is. */
      item_key?: string
    }
    data: R.Order
  }
  /** Update the customization of an order. `order` replaces the stored design of the item. */
  update_order: {
    args: {
      /** Id of the row. */
      id: number
      body: R.UpdateOrderBody
    }
    data: R.Order
  }
  /** Delete the customization of an order. The order of the shop itself stays. */
  delete_order: {
    args: {
      /** Id of the row. */
      id: number
      /** Source: wc (shop orders), shortcode (sc) or gf (form entries). */
      type?: string
    }
    data: R.DeletedProduct
  }
  /** Preview a view of an order. The whole stage as PNG. */
  get_order_preview: {
    args: {
      /** Id of the row. */
      id: number
      /** Source: wc (shop orders), shortcode (sc) or gf (form entries). */
      type?: string
      /** One item of the order. */
      item_id?: number
      /** Position of the view, from 0. */
      view?: number
      /** Width in pixels. A very high view is drawn narrower. */
      width?: number
    }
    data: Blob
  }
  /** Export an order as a print file. Creates a print job and waits up to 30 seconds for its file; later `get_print_job` tells what became of it. */
  export_order: {
    args: {
      /** Id of the row. */
      id: number
      body?: R.ExportOrderBody
    }
    data: R.ExportOrderResult
  }
  /** List shortcode orders. */
  list_shortcode_orders: {
    args: {
      page?: number
      /** Items per page. */
      limit?: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      /** Adds the views. */
      include_data?: boolean
    }
    data: R.ShortcodeOrder[]
  }
  /** Create a shortcode order. */
  create_shortcode_order: {
    args: {
      body: R.CreateShortcodeOrderBody
    }
    data: R.ShortcodeOrder
  }
  /** Get a shortcode order. */
  get_shortcode_order: {
    args: {
      /** Id of the row. */
      id: number
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Adds the views. */
      include_data?: boolean
    }
    data: R.ShortcodeOrder
  }
  /** Update a shortcode order. */
  update_shortcode_order: {
    args: {
      /** Id of the row. */
      id: number
      body?: R.UpdateShortcodeOrderBody
    }
    data: R.ShortcodeOrder
  }
  /** Delete a shortcode order. */
  delete_shortcode_order: {
    args: {
      /** Id of the row. */
      id: number
    }
    data: R.DeletedProduct
  }
  /** List print jobs. */
  list_print_jobs: {
    args: {
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
      /** Only the items with these ids, separated by commas. */
      include?: number[]
      /** Number of items to skip. */
      offset?: number
      /** Most items; 0 for all, at most 10000. */
      limit?: number
      /** Only jobs with exactly this status. */
      status?: string
    }
    data: R.PrintJob[]
  }
  /** Get a print job. */
  get_print_job: {
    args: {
      /** GUID or id of the job; a GUID wins over an id. */
      id: string
      /** Only these properties, separated by commas. */
      fields?: string
      /** Alias of `fields`. */
      _fields?: string
    }
    data: R.PrintJob
  }
  /** Delete a print job. With its stored file. */
  delete_print_job: {
    args: {
      /** GUID or id of the job; a GUID wins over an id. */
      id: string
    }
    data: R.DeletedProduct
  }
  /** Announce a finished print file (POST). The webhook of the cloud router: the file is downloaded and stored, and the job completed. */
  announce_print_file: {
    args: {
      /** GUID of the print job; in the body it overrides the path. */
      guid: string
      /** GUID of the print job; in the body it overrides the path. */
      print_job_id?: string
      /** http or https URL of the file, at most 4096 characters. */
      file_url?: string
      body?: R.AnnouncePrintFileBody
    }
    data: R.AnnouncePrintFileResult
  }
  /** Announce a finished print file (PUT). The webhook of the cloud router: the file is downloaded and stored, and the job completed. */
  put_print_file: {
    args: {
      /** GUID of the print job; in the body it overrides the path. */
      guid: string
      /** GUID of the print job; in the body it overrides the path. */
      print_job_id?: string
      /** http or https URL of the file, at most 4096 characters. */
      file_url?: string
      body?: R.AnnouncePrintFileBody
    }
    data: R.AnnouncePrintFileResult
  }
  /** Announce a finished print file (PATCH). The webhook of the cloud router: the file is downloaded and stored, and the job completed. */
  patch_print_file: {
    args: {
      /** GUID of the print job; in the body it overrides the path. */
      guid: string
      /** GUID of the print job; in the body it overrides the path. */
      print_job_id?: string
      /** http or https URL of the file, at most 4096 characters. */
      file_url?: string
      body?: R.AnnouncePrintFileBody
    }
    data: R.AnnouncePrintFileResult
  }
}

/** A form as body, or a picture as response. */
type Kind = '' | 'form' | 'picture'
type Route = readonly [method: string, path: string, query: string, kind: Kind]

/** Method, path, names of the query parameters and kind of each operation. */
export const routes: Readonly<Record<keyof Operations, Route>> = {
  get_system_info: ["GET","/svc/v1/system","fields _fields",""],
  list_products: ["GET","/svc/v1/products","page limit search fields _fields include include_views category_id type order_by order",""],
  create_product: ["POST","/svc/v1/products","include_views",""],
  get_product: ["GET","/svc/v1/products/{id}","fields _fields include_views",""],
  update_product: ["PATCH","/svc/v1/products/{id}","include_views merge",""],
  delete_product: ["DELETE","/svc/v1/products/{id}","",""],
  get_product_preview: ["GET","/svc/v1/products/{id}/preview","view width","picture"],
  list_product_views: ["GET","/svc/v1/products/{id}/views","fields _fields include page limit",""],
  add_product_view: ["POST","/svc/v1/products/{id}/views","",""],
  get_view: ["GET","/svc/v1/views/{id}","fields _fields",""],
  update_view: ["PATCH","/svc/v1/views/{id}","merge",""],
  delete_view: ["DELETE","/svc/v1/views/{id}","",""],
  get_view_preview: ["GET","/svc/v1/views/{id}/preview","width","picture"],
  duplicate_view: ["POST","/svc/v1/views/{id}/duplicate","",""],
  list_assets: ["GET","/svc/v1/assets","page limit search type fields _fields",""],
  upload_asset: ["POST","/svc/v1/assets","","form"],
  delete_asset: ["DELETE","/svc/v1/assets/{key}","",""],
  list_categories: ["GET","/svc/v1/categories","fields _fields include include_products",""],
  create_category: ["POST","/svc/v1/categories","",""],
  get_category: ["GET","/svc/v1/categories/{id}","fields _fields include_products",""],
  update_category: ["PATCH","/svc/v1/categories/{id}","",""],
  delete_category: ["DELETE","/svc/v1/categories/{id}","",""],
  clear_category: ["POST","/svc/v1/categories/{id}/clear","",""],
  list_settings: ["GET","/svc/v1/settings","fields _fields search tab",""],
  update_settings: ["PATCH","/svc/v1/settings","",""],
  get_settings: ["GET","/svc/v1/settings/values","fields _fields keys[]",""],
  get_settings_group: ["GET","/svc/v1/settings/groups/{tab}","fields _fields",""],
  list_text_templates: ["GET","/svc/v1/text-templates","fields _fields",""],
  create_text_template: ["POST","/svc/v1/text-templates","",""],
  replace_text_templates: ["PUT","/svc/v1/text-templates","",""],
  get_text_template: ["GET","/svc/v1/text-templates/{index}","fields _fields",""],
  update_text_template: ["PATCH","/svc/v1/text-templates/{index}","",""],
  delete_text_template: ["DELETE","/svc/v1/text-templates/{index}","",""],
  get_color_library: ["GET","/svc/v1/color-library","fields _fields",""],
  save_color_library: ["PUT","/svc/v1/color-library","",""],
  get_color_library_usages: ["GET","/svc/v1/color-library/usages","fields _fields id type",""],
  list_design_categories: ["GET","/svc/v1/design-categories","fields _fields include search page limit only_roots parent_id",""],
  create_design_category: ["POST","/svc/v1/design-categories","",""],
  get_design_category: ["GET","/svc/v1/design-categories/{id}","fields _fields",""],
  update_design_category: ["PATCH","/svc/v1/design-categories/{id}","",""],
  delete_design_category: ["DELETE","/svc/v1/design-categories/{id}","",""],
  list_pricing_rules: ["GET","/svc/v1/pricing-rules","offset limit search fields _fields include order_by",""],
  create_pricing_rule: ["POST","/svc/v1/pricing-rules","",""],
  get_pricing_rule: ["GET","/svc/v1/pricing-rules/{id}","fields _fields",""],
  update_pricing_rule: ["PATCH","/svc/v1/pricing-rules/{id}","",""],
  delete_pricing_rule: ["DELETE","/svc/v1/pricing-rules/{id}","",""],
  list_print_profiles: ["GET","/svc/v1/print-profiles","fields _fields include include_data",""],
  create_print_profile: ["POST","/svc/v1/print-profiles","include_data",""],
  get_print_profile: ["GET","/svc/v1/print-profiles/{id}","fields _fields include_data",""],
  update_print_profile: ["PATCH","/svc/v1/print-profiles/{id}","include_data",""],
  delete_print_profile: ["DELETE","/svc/v1/print-profiles/{id}","",""],
  duplicate_print_profile: ["POST","/svc/v1/print-profiles/{id}/duplicate","include_data",""],
  set_print_profile_master: ["POST","/svc/v1/print-profiles/{id}/master","include_data",""],
  list_user_interfaces: ["GET","/svc/v1/user-interfaces","fields _fields include include_data",""],
  create_user_interface: ["POST","/svc/v1/user-interfaces","include_data",""],
  get_user_interface: ["GET","/svc/v1/user-interfaces/{id}","fields _fields include_data",""],
  update_user_interface: ["PATCH","/svc/v1/user-interfaces/{id}","include_data",""],
  delete_user_interface: ["DELETE","/svc/v1/user-interfaces/{id}","",""],
  list_fonts: ["GET","/svc/v1/fonts","search fields _fields",""],
  upload_font: ["POST","/svc/v1/fonts","","form"],
  delete_font: ["DELETE","/svc/v1/fonts/{name}","",""],
  list_orders: ["GET","/svc/v1/orders","page limit fields _fields include type search",""],
  get_order: ["GET","/svc/v1/orders/{id}","fields _fields type item_id item_key",""],
  update_order: ["PATCH","/svc/v1/orders/{id}","",""],
  delete_order: ["DELETE","/svc/v1/orders/{id}","type",""],
  get_order_preview: ["GET","/svc/v1/orders/{id}/preview","type item_id view width","picture"],
  export_order: ["POST","/svc/v1/orders/{id}/export","",""],
  list_shortcode_orders: ["GET","/svc/v1/shortcode-orders","page limit fields _fields include include_data",""],
  create_shortcode_order: ["POST","/svc/v1/shortcode-orders","",""],
  get_shortcode_order: ["GET","/svc/v1/shortcode-orders/{id}","fields _fields include_data",""],
  update_shortcode_order: ["PATCH","/svc/v1/shortcode-orders/{id}","",""],
  delete_shortcode_order: ["DELETE","/svc/v1/shortcode-orders/{id}","",""],
  list_print_jobs: ["GET","/svc/v1/print-jobs","fields _fields include offset limit status",""],
  get_print_job: ["GET","/svc/v1/print-jobs/{id}","fields _fields",""],
  delete_print_job: ["DELETE","/svc/v1/print-jobs/{id}","",""],
  announce_print_file: ["POST","/svc-export/v1.0/print_job/{guid}","print_job_id file_url",""],
  put_print_file: ["PUT","/svc-export/v1.0/print_job/{guid}","print_job_id file_url",""],
  patch_print_file: ["PATCH","/svc-export/v1.0/print_job/{guid}","print_job_id file_url",""],
}
