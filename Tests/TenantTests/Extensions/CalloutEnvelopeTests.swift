// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Wire

@testable import Tenant

/// What a receiver is sent, member by member. The bodies are written by hand from the protocol's reference.
struct CalloutEnvelopeTests {
    /// The ids of the apps' objects are the tenant's choice.
    private static let context = #"""
        "tenantId": "8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31",
        "authenticationEventListenerId": "11aa0000-0000-4000-8000-000000000001",
        "customAuthenticationExtensionId": "22bb0000-0000-4000-8000-000000000002",
        "authenticationContext": {
          "correlationId": "5e1c0b0a-7d5b-4c55-9a0e-2f3b7a5d9911",
          "client": { "ip": "203.0.113.9", "locale": "nb-no", "market": "nb-no" }, "protocol": "OAUTH2.0",
          "clientServicePrincipal": { "id": "any", "appId": "3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10",
            "appDisplayName": "Fjord app", "displayName": "Fjord app" },
          "resourceServicePrincipal": { "id": "any", "appId": "55ee0000-0000-4000-8000-000000000005",
            "appDisplayName": "Fjord orders", "displayName": "Fjord orders" }
        """#

    private static let signUp = #"""
        "userSignUpInfo": {
          "attributes": {
            "displayName": { "@odata.type": "microsoft.graph.stringDirectoryAttributeValue", "value": "Mira L",
              "attributeType": "builtIn" },
            "extension_77a1c0de77a1c0de77a1c0de77a1c0de_age": {
              "@odata.type": "microsoft.graph.int64DirectoryAttributeValue", "value": 31,
              "attributeType": "directorySchemaExtension" },
            "extension_77a1c0de77a1c0de77a1c0de77a1c0de_news": {
              "@odata.type": "microsoft.graph.booleanDirectoryAttributeValue", "value": false,
              "attributeType": "directorySchemaExtension" } },
          "identities": [ { "signInType": "email", "issuer": "fjordshop.onmicrosoft.com",
            "issuerAssignedId": "mira@lofoten.example" } ] }
        """#

    private static let goldens: [(AuthenticationExtension.Event, type: String, data: String)] = [
        (
            .tokenIssuanceStart, "tokenIssuanceStart",
            """
            "@odata.type": "microsoft.graph.onTokenIssuanceStartCalloutData", \(context),
            "user": { "id": "2f1d0c77-0000-4000-8000-000000000007", "displayName": "Mira L",
              "mail": "mira@lofoten.example", "createdDateTime": "2026-03-14T09:28:10Z", "userType": "Member",
              "userPrincipalName": "2f1d0c77-0000-4000-8000-000000000007@fjordshop.onmicrosoft.com" } }
            """
        ),
        (
            .attributeCollectionStart, "attributeCollectionStart",
            """
            "@odata.type": "microsoft.graph.onAttributeCollectionStartCalloutData", \(context) }, \(signUp)
            """
        ),
        (
            .attributeCollectionSubmit, "attributeCollectionSubmit",
            """
            "@odata.type": "microsoft.graph.onAttributeCollectionSubmitCalloutData", \(context) }, \(signUp)
            """
        ),
        (
            .emailOtpSend, "emailOtpSend",
            """
            "@odata.type": "microsoft.graph.onOtpSendCalloutData", \(context), "requestType": "signUp" },
            "otpContext": { "identifier": "mira@lofoten.example", "oneTimeCode": "40518826" }
            """
        ),
    ]

    private func envelope(_ callout: Callout, _ context: CalloutContext = CalloutScene.context) -> CalloutEnvelope {
        CalloutEnvelope(
            callout: callout, registration: CalloutScene.registration(callout.event, at: "https://hooks.example/"),
            context: context, tenantID: CalloutScene.tenantID)
    }

    @Test(arguments: goldens.indices)
    func payload(_ index: Int) throws {
        let (event, type, data) = Self.goldens[index]
        let golden = try #require(
            JSONValue(
                json: """
                    { "type": "microsoft.graph.authenticationEvent.\(type)",
                      "source": "/tenants/8d0f6c1e-52b7-4f0a-9a55-1b7e0c9d2f31/applications/3b6a2d54-0c1f-4f7e-8f43-6d1f2f3f4a10",
                      "data": { \(data) } }
                    """.utf8))
        let json = envelope(CalloutScene.callout(for: event)).json
        #expect(json.withoutObjectIDs == golden)
    }

    /// A body that was written is the value again: nothing is lost on the way to bytes.
    @Test func bytesAreTheValue() throws {
        let json = envelope(CalloutScene.callout(for: .attributeCollectionSubmit)).json
        #expect(JSONValue(json: try json.compact) == json)
    }

    @Test func appsHaveLastingObjectsOfTheirOwn() throws {
        func ids(_ tenantID: String) -> [String?] {
            let envelope = CalloutEnvelope(
                callout: CalloutScene.callout(for: .tokenIssuanceStart),
                registration: CalloutScene.registration(at: "https://hooks.example/"), context: CalloutScene.context,
                tenantID: tenantID)
            let context = envelope.json["data"]?["authenticationContext"]
            return ["clientServicePrincipal", "resourceServicePrincipal"].map { context?[$0]?["id"]?.string }
        }
        let here = ids(CalloutScene.tenantID)
        #expect(here == ids(CalloutScene.tenantID))
        #expect(Set(here + ids("another")).count == 4)
        for id in here { #expect(UUID(uuidString: id ?? "")?.uuidString.lowercased() == id) }
    }

    @Test func everythingThatIsKnownOfAPersonIsTold() {
        var user = CalloutScene.user
        user.givenName = "Mira"
        user.surname = "Lund"
        user.companyName = "Fjord"
        user.preferredLanguage = "nb-no"
        user.onPremisesSamAccountName = "mira"
        user.onPremisesSecurityIdentifier = "S-1-5-1"
        user.onPremisesUserPrincipalName = "mira@fjord.example"
        user.userType = "Guest"
        let told = envelope(.tokenIssuanceStart(user: user)).json["data"]?["authenticationContext"]?["user"]?.object
        #expect(
            Set(told?.keys ?? [:].keys) == [
                "companyName", "createdDateTime", "displayName", "givenName", "id", "mail", "onPremisesSamAccountName",
                "onPremisesSecurityIdentifier", "onPremisesUserPrincipalName", "preferredLanguage", "surname",
                "userPrincipalName", "userType",
            ])
        #expect(told?["surname"] == .string("Lund"))
        #expect(told?["userType"] == .string("Guest"))
    }

    @Test func whatIsNotKnownIsLeftOut() {
        let context = CalloutContext(
            correlationID: "c", client: CalloutScene.context.client, resource: CalloutScene.context.resource)
        let json = envelope(CalloutScene.callout(for: .tokenIssuanceStart), context).json
        #expect(json["data"]?["authenticationContext"]?["client"] == .object([:]))
    }
}

extension JSONValue {
    /// The value with each service principal's id as `any`.
    fileprivate var withoutObjectIDs: JSONValue {
        guard var members = object else { return self }
        for (name, value) in members {
            members[name] = value.withoutObjectIDs
            if name.hasSuffix("ServicePrincipal"), var app = value.object, app["id"]?.string?.isEmpty == false {
                app["id"] = .string("any")
                members[name] = .object(app)
            }
        }
        return .object(members)
    }
}
