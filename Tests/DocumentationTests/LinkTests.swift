// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import Testing

@Suite("The links of the pages")
struct LinkTests {
    @Test("lead to a file, and to a heading in it", arguments: try Page.places)
    func links(place: String) throws {
        let page = try Page(place)
        for link in page.links {
            let fault = try page.fault(of: link)
            #expect(fault == nil, "\(place): \(link): \(fault ?? "")")
        }
    }

    @Test("are looked for in all of them")
    func places() throws {
        let places = try Page.places
        #expect(places.contains("docs/tutorials/add-sign-up.md") && places.contains("docs/overview.md"))
        #expect(try Page("README.md").links.contains("docs/overview.md"))
        #expect(try Page("docs/commands.md").links.contains("#nativeauth-config-get"))
    }

    @Test(
        "that lead nowhere are found",
        arguments: [
            "no-such.md", "docs/no-such.md", "#no-such", "docs/overview.md#no-such", "Makefile#run", "../LICENSE",
        ])
    func faults(link: String) throws {
        #expect(try Page("README.md").fault(of: link) != nil)
    }

    @Test(
        "that lead somewhere are not",
        arguments: ["docs", "LICENSE", "#licence", "docs/overview.md#the-modules", "https://example.com/x#y"])
    func sound(link: String) throws {
        #expect(try Page("README.md").fault(of: link) == nil)
    }
}
