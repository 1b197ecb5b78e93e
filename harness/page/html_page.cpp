#include "page/html_page.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>
#include <utility>

#include "page/page_files.hpp"
#include "report/printable.hpp"

namespace weft::page {
namespace {

using nlohmann::ordered_json;

std::string escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : printable(text)) {  // control characters are no text of HTML
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

/// JSON inside a script element: the element ends at a `</script`, and `<!--` would change how that is found, in
/// strings as well.
std::string script_data(const ordered_json& json) {
  const std::string text = json.dump(-1, ' ', /*ensure_ascii=*/true, ordered_json::error_handler_t::replace);
  std::string data;
  data.reserve(text.size());
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&') {
      data += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      data += c;
    }
  }
  return data;
}

std::string text_of(const ordered_json& object, const char* key) { return object.at(key).get<std::string>(); }

/// What is there to read where no script runs.
std::string plain_findings(const ordered_json& finding) {
  std::string html = "<div class=\"plain\">\n<p>Without JavaScript only the text traces are shown.</p>\n";
  for (const ordered_json& one : finding.at("findings")) {
    html += fmt::format("<h1>{}: {}</h1>\n<pre>{}</pre>\n", escaped(text_of(one, "kind")),
                        escaped(text_of(one, "message")), escaped(text_of(one, "trace")));
  }
  if (finding.contains("fixed")) {
    const ordered_json& fixed = finding.at("fixed");
    html += fmt::format("<h1>{}: {}</h1>\n<pre>{}</pre>\n", escaped(text_of(fixed, "variant")),
                        escaped(text_of(fixed, "verdict")), escaped(text_of(fixed, "trace")));
  }
  return html + "</div>";
}

/// Each @NAME@ once, and in the order of the template: what is put in is not searched again.
std::string filled_in(std::string_view html, std::initializer_list<std::pair<std::string_view, std::string>> texts) {
  std::string page;
  for (const auto& [name, text] : texts) {
    const std::size_t at = html.find(name);
    page.append(html.substr(0, at));
    page += text;
    html.remove_prefix(at + name.size());
  }
  return page.append(html);
}

}  // namespace

std::string html_page(const ordered_json& finding) {
  const ordered_json& first = finding.at("findings").at(0);
  const std::string title =
      fmt::format("{}: {}/{}", text_of(first, "kind"), text_of(finding, "scenario"), text_of(finding, "variant"));
  return filled_in(page_html,
                   {{"@TITLE@", escaped(title)},
                    {"@STYLE@", std::string(page_css)},
                    {"@PLAIN@", plain_findings(finding)},
                    {"@DATA@", script_data(finding)},
                    {"@SCRIPT@", fmt::format("{}\n{}\n{}\n{}", execution_js, lanes_js, inspector_js, page_js)}});
}

}  // namespace weft::page
