// Made from the description of the API: `npm run client:types`. Not to be edited.

export interface components {
    schemas: {
        /** @description Why a request was refused. */
        Refusal: {
            /** @description What is wrong, and what to do, for people. */
            message: string;
            /**
             * @description The same for programs: from a closed list.
             * @enum {string}
             */
            code: "invalid_request" | "invalid_json" | "unauthenticated" | "otp_required" | "forbidden" | "token_expired" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "too_large" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "login_locked" | "bot_loop_identical" | "bot_loop_consecutive" | "unavailable" | "paused" | "internal";
            /** @description The message again, where many clients look for it. */
            error: {
                /** @description What is wrong, and what to do, for people. */
                message: string;
            };
            /** @description What is wrong at each place of the body or query. */
            details?: {
                /** @description The place, dotted. */
                path: string;
                /** @description What is wrong there. */
                message: string;
            }[];
        };
        /** @description A parameter or field is missing, malformed or of the wrong type. */
        InvalidRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "invalid_request" | "invalid_json";
        };
        /** @description No token, or one that is not valid. */
        UnauthenticatedRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "unauthenticated" | "otp_required";
        };
        /** @description The scope is too low, the token has expired, or the organization is not yours. */
        ForbiddenRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "forbidden" | "token_expired";
        };
        /** @description There is no such thing, or it is not yours to see. */
        NotFoundRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "not_found";
        };
        /** @description A value that must be unique is taken. */
        ConflictRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "conflict";
        };
        /** @description The record has changed: `If-Match` names no tag that it has now. Nothing was done. */
        PreconditionFailedRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "precondition_failed";
        };
        /** @description The body exceeds 1 MiB. */
        TooLargeRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "too_large";
        };
        /** @description The body is of another type, or compressed. */
        UnsupportedMediaTypeRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "unsupported_media_type";
        };
        /** @description Every field is valid by itself, but together, or against what is stored, they make no sense. */
        UnprocessableRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "unprocessable";
        };
        /** @description Too many requests, failed logins, messages of a bot, or events under way. */
        RateLimitedRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "rate_limited" | "login_locked" | "bot_loop_identical" | "bot_loop_consecutive";
        };
        /** @description An unexpected error. */
        InternalRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "internal";
        };
        /** @description Something the service needs does not answer; try again. */
        UnavailableRefusal: components["schemas"]["Refusal"] & {
            /**
             * @description The same for programs.
             * @enum {string}
             */
            code?: "unavailable" | "paused";
        };
        /** @description Either email and password, or refreshToken and clientId. */
        TokenInput: components["schemas"]["Login"] | components["schemas"]["TokenRefresh"];
        /** @description Signs in. */
        Login: {
            /**
             * Format: email
             * @description The user's email.
             */
            email: string;
            /** @description The password. */
            password: string;
            /** @description The one-time password, of users who have them. Without it they get 401 `otp_required`. */
            otp?: string;
        };
        /** @description Gets new tokens after the access token has expired. */
        TokenRefresh: {
            /** @description The refresh token. */
            refreshToken: string;
            /**
             * Format: email
             * @description The user's email: a bot's is shown with its record.
             */
            clientId: string;
        };
        /** @description Tokens of a session. */
        Token: {
            /**
             * @description How the token is sent.
             * @constant
             */
            tokenType: "Bearer";
            /** @description The access token: 24 hours, of a bot 30 days. */
            token: string;
            /** @description Good once, for new tokens: 30 days, of a bot 90. */
            refreshToken: string;
            /** @description Who signed in. */
            user: string;
            /** @description Their organization. */
            organization: string;
            /**
             * Format: date-time
             * @description When the access token expires.
             */
            expiresAt: string;
            /** @description What the token may do, separated by spaces. */
            scope: string;
        };
        /** @description What conversations may be about. */
        OrganizationCategory: {
            /** @description The name. */
            name: string;
            /** @description The ids of the forms that may be added under it. */
            forms: string[];
        };
        /** @description Who owns conversations, contacts and users. */
        Organization: {
            /** @description Its id. */
            id: string;
            /** @description The name. */
            name: string;
            /** @description The name that contacts see. */
            displayName?: string;
            /**
             * Format: email
             * @description How it is reached.
             */
            email?: string;
            /**
             * Format: uri
             * @description Its website.
             */
            url?: string;
            /** @description two capital letters, as in ISO 3166 */
            country?: string;
            /**
             * Format: uri
             * @description Its logo.
             */
            logo?: string;
            /** @description What it does. */
            industry?: string;
            /** @description A status of its own. */
            status?: string;
            /** @description Words to find it by. */
            tags: string[];
            /** @description What its conversations may be about, in order. */
            categories: components["schemas"]["OrganizationCategory"][];
            /** @description Preferences: free-form like `meta`. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The organization above it; the root has none. */
            parent?: string;
            /** @description The ids from the root down to it, joined by `#`. */
            path: string;
            /** @description How far below the root it is. */
            level: number;
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description What conversations may be about. */
        Category: {
            /** @description The name. */
            name: string;
            /** @description The ids of the forms that may be added under it. */
            forms?: string[];
        };
        /** @description An organization to create. */
        OrganizationInput: {
            /** @description The name. */
            name: string;
            /** @description The name that contacts see. */
            displayName?: string;
            /**
             * Format: email
             * @description How it is reached.
             */
            email?: string;
            /**
             * Format: uri
             * @description Its website.
             */
            url?: string;
            /** @description two capital letters, as in ISO 3166 */
            country?: string;
            /**
             * Format: uri
             * @description Its logo.
             */
            logo?: string;
            /** @description What it does. */
            industry?: string;
            /** @description A status of its own. */
            status?: string;
            /** @description Words to find it by. */
            tags?: string[];
            /** @description What its conversations may be about, in order. */
            categories?: components["schemas"]["Category"][];
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The organization above it; the caller's where absent. */
            parent?: string;
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        OrganizationPatch: {
            /** @description The name. */
            name?: string;
            /** @description The name that contacts see. */
            displayName?: string | null;
            /** @description How it is reached. */
            email?: string | null;
            /** @description Its website. */
            url?: string | null;
            /** @description two capital letters, as in ISO 3166 */
            country?: string | null;
            /** @description Its logo. */
            logo?: string | null;
            /** @description What it does. */
            industry?: string | null;
            /** @description A status of its own. */
            status?: string | null;
            /** @description Words to find it by. */
            tags?: string[] | null;
            /** @description What its conversations may be about, in order. */
            categories?: components["schemas"]["Category"][] | null;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            } | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
            /** @description The organization above it; the caller's where absent. */
            parent?: string;
        };
        /** @description What websites sign their visitors with. */
        WidgetSecret: {
            /** @description The secret: shown in the answer that makes it, and never again. */
            secret?: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when the one that it replaced is good.
             */
            formerUntil?: string;
        };
        /** @description Organizations that belong together. */
        OrganizationGroup: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The name. */
            name: string;
            /** @description The ids of its organizations. */
            organizations: string[];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description An organization group to create. */
        OrganizationGroupInput: {
            /** @description The name. */
            name: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description The ids of its organizations. */
            organizations?: string[];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        OrganizationGroupPatch: {
            /** @description The name. */
            name?: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description The ids of its organizations. */
            organizations?: string[] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Somebody who signs in: a person, or a bot. */
        User: {
            /** @description Their id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description First and last name together. */
            name: string;
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /**
             * Format: email
             * @description What they sign in with; unique over all organizations. Where absent, one is made up, and is a bot's `clientId`.
             */
            email: string;
            /**
             * @description What they may do: a viewer has scope guest; agent, bot and admin have the scope of that name.
             * @enum {string}
             */
            role: "viewer" | "agent" | "bot" | "admin";
            /**
             * @description Whether they are there. Who is `offline` counts as offline in every channel.
             * @enum {string}
             */
            status: "online" | "away" | "offline";
            /**
             * Format: uri
             * @description A picture.
             */
            avatar?: string;
            /** @description Preferences: free-form like `meta`. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description A user to create: a person, or a bot. */
        UserInput: {
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /**
             * Format: email
             * @description What they sign in with; unique over all organizations. Where absent, one is made up, and is a bot's `clientId`.
             */
            email?: string;
            /** @description The password: 10 to 200 characters. It is never shown. */
            password?: string;
            /**
             * @description What they may do: a viewer has scope guest; agent, bot and admin have the scope of that name.
             * @enum {string}
             */
            role: "viewer" | "agent" | "bot" | "admin";
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /**
             * @description Whether they are there. Who is `offline` counts as offline in every channel.
             * @enum {string}
             */
            status?: "online" | "away" | "offline";
            /**
             * Format: uri
             * @description A picture.
             */
            avatar?: string;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        UserPatch: {
            /** @description The first name. */
            givenName?: string | null;
            /** @description The last name. */
            familyName?: string | null;
            /** @description What they sign in with; unique over all organizations. Where absent, one is made up, and is a bot's `clientId`. */
            email?: string | null;
            /** @description The password: 10 to 200 characters. It is never shown. */
            password?: string | null;
            /**
             * @description What they may do: a viewer has scope guest; agent, bot and admin have the scope of that name.
             * @enum {string}
             */
            role?: "viewer" | "agent" | "bot" | "admin";
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description Whether they are there. Who is `offline` counts as offline in every channel. */
            status?: ("online" | "away" | "offline") | null;
            /** @description A picture. */
            avatar?: string | null;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            } | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
            /** @description The present password, of who changes their own email or password. */
            currentPassword?: string | null;
        };
        /** @description Shows that the caller knows their password. */
        OtpProposal: {
            /** @description The present password. */
            currentPassword: string;
        };
        /** @description A new secret for one-time passwords. */
        OtpSecret: {
            /** @description The secret, in base32. */
            secret: string;
            /**
             * Format: uri
             * @description The same as an address for authenticator apps, to be shown as a QR code.
             */
            url: string;
        };
        /** @description Shows that the caller has the secret. */
        OtpInput: {
            /** @description The one-time password that the authenticator shows. */
            otp: string;
        };
        /** @description An API key. It does not expire, and can be revoked. */
        ApiKey: {
            /** @description Its id. */
            id: string;
            /** @description The user whose key it is. */
            user: string;
            /** @description What it is for. */
            name: string;
            /** @description What it may do. */
            scopes: ("guest" | "agent" | "bot" | "admin")[];
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was used last, to the minute; absent until it is used.
             */
            lastUsedAt?: string;
            /** @description The key: shown in the answer that creates it, and never again. */
            token?: string;
        };
        /** @description An API key to create. */
        ApiKeyInput: {
            /** @description What it is for. */
            name: string;
            /** @description What it may do: never more than what the role of its user gives. */
            scopes: ("guest" | "agent" | "bot" | "admin")[];
        };
        /** @description A user who takes part. */
        Participant: {
            /** @description The user. */
            user: string;
            /** @description Their organization. */
            organization?: string;
            /** @description Their role when they joined. */
            role?: string;
            /** @description How many messages they have not read. */
            unreadCount: number;
            /** @description Whether they are busy with the conversation. */
            active: boolean;
            /** @description Whether it is in their inbox: it was assigned, and not accepted yet. */
            inbox: boolean;
            /** @description Whether they have accepted it. */
            accepted: boolean;
            /** @description Whether they follow it. */
            follow?: boolean;
            /** @description A status of their own. */
            status?: string;
        };
        /** @description A touchpoint that is in use. */
        Touchpoint: {
            /** @description The ids of the services that serve it. */
            services: string[];
            /** @description Whether it is the one in use. */
            selected: boolean;
        };
        /** @description A form that is not complete yet. */
        ConversationForm: {
            /** @description The id of the form. */
            form: string;
            /** @description Its name. */
            name: string;
            /**
             * @description A `static` form stays; a `topic` is picked.
             * @enum {string}
             */
            type: "topic" | "static";
            /** @description The category that it was added under. */
            category?: string;
            /** @description The index of that category. */
            categoryIndex?: number;
            /** @description What was filled in so far, by key. */
            values: {
                [key: string]: unknown;
            };
        };
        /** @description A form that was completed. */
        ConversationResult: {
            /** @description The message of type results that completed it. */
            message: string;
            /** @description The id of the form. */
            form: string;
            /** @description Its name. */
            name: string;
            /** @description The category that it was completed under. */
            category?: string;
            /** @description The index of that category. */
            categoryIndex?: number;
        };
        /** @description What a contact and an organization say to each other. */
        Conversation: {
            /** @description Its id. */
            id: string;
            /** @description The last part of its address: the key to the chat page. */
            slug: string;
            /**
             * Format: uri
             * @description The contact's chat page.
             */
            url: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The name. */
            name?: string;
            /**
             * @description Who began it: events carry it as their third word.
             * @enum {string}
             */
            type: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description Where it is: `queued` waits for an agent, `active` has one, `closed` is over.
             * @enum {string}
             */
            status: "queued" | "active" | "closed";
            /** @description The name of its category. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language that is spoken in it. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The contact. */
            contact?: string;
            /** @description Its processed messages in order, the newest 1,000. */
            messages: string[];
            /** @description The users who take part. */
            participants: components["schemas"]["Participant"][];
            /** @description The channels that were notified. */
            channels: string[];
            /** @description The channels that were not notified, because nobody was online. */
            channelsOffline: string[];
            /** @description The touchpoints in use, by code. */
            touchpoints: {
                [key: string]: components["schemas"]["Touchpoint"];
            };
            /** @description The forms that are not complete. */
            forms: components["schemas"]["ConversationForm"][];
            /** @description The forms that were completed. */
            results: components["schemas"]["ConversationResult"][];
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When its last chat, card, postback or mention was processed; before the first one, when it was created. Nothing else changes it, so lists sorted by it move by messages alone.
             */
            lastMessageAt: string;
        };
        /** @description Who the contact is. At least one of `email` and `telephone` is needed; an empty text counts as absent. */
        UpsertProfile: {
            /** @description The full name. */
            name?: string;
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /** @description The email address, in lower case and with its domain in ASCII; unique within the organization. */
            email?: string;
            /** @description The telephone number, stored as E.164 and unique within the organization. Without `+` and country code it is read as one of the country of the organization. */
            telephone?: string;
            /** @description The language and region. */
            locale?: string;
            /** @description The postal address: a flat object of texts. */
            address?: {
                [key: string]: string;
            };
        };
        /** @description Who the contact is. */
        UpsertContact: {
            profile: components["schemas"]["UpsertProfile"];
        };
        /** @description A button. */
        Action: components["schemas"]["LinkAction"] | components["schemas"]["PostbackAction"] | components["schemas"]["ReplyAction"] | components["schemas"]["WebviewAction"] | components["schemas"]["LocationRequestAction"];
        /** @description Opens an address. */
        LinkAction: {
            /**
             * @description What it does. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "link";
            /** @description What stands on it. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description The address that it opens.
             */
            uri: string;
        };
        /** @description Posts its payload as a postback. */
        PostbackAction: {
            /**
             * @description What it does. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "postback";
            /** @description What stands on it. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description What is posted when it is chosen. JSON of a message, or of a list of messages, is posted as such as well. */
            payload: string;
        };
        /** @description A quick reply: posts its payload. Goes with replies and location requests only. */
        ReplyAction: {
            /**
             * @description What it does. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "reply";
            /** @description What stands on it. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description What is posted when it is chosen. JSON of a message, or of a list of messages, is posted as such as well. */
            payload: string;
            /**
             * Format: uri
             * @description A picture on it, on two touchpoints.
             */
            iconUrl?: string;
        };
        /** @description Opens an address within the chat. */
        WebviewAction: {
            /**
             * @description What it does. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webview";
            /** @description What stands on it. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description The address that it opens.
             */
            uri: string;
            /**
             * Format: uri
             * @description The address that is opened where there is no webview.
             */
            fallback: string;
            /**
             * @description How high the webview is.
             * @enum {string}
             */
            size?: "compact" | "tall" | "full";
        };
        /** @description Asks where the contact is. Goes with replies and location requests only. */
        LocationRequestAction: {
            /**
             * @description What it does. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "locationRequest";
            /** @description What stands on it. */
            text: string;
            /** @description Free-form keys and values, flat. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description An item of a list. */
        Item: {
            /** @description The title. */
            title: string;
            /** @description A second line. */
            description?: string;
            /** @description 1 to 3 buttons: links, webviews and postbacks. */
            actions?: components["schemas"]["Action"][];
            /**
             * @description How large it is shown.
             * @enum {string}
             */
            size?: "compact" | "large";
            /**
             * Format: uri
             * @description A picture.
             */
            mediaUrl?: string;
            /** @description The type of the picture; taken from its address where absent. */
            mediaType?: string;
        };
        /** @description A completed form. */
        FormResult: {
            /** @description The id of a form of the organization or one above it. */
            form: string;
            /** @description Its name; required where it is not open. */
            formName?: string;
            /**
             * @description Its type.
             * @enum {string}
             */
            type?: "topic" | "static";
            /** @description What was filled in, by the keys of its fields: texts, numbers, booleans, null and lists of texts, at most 24 KiB as JSON. */
            values?: {
                [key: string]: unknown;
            };
        };
        /** @description A message to post; its conversation is known from elsewhere. `text` is all it needs. */
        MessageInput: components["schemas"]["ChatMessageInput"] | components["schemas"]["CardMessageInput"] | components["schemas"]["PostbackMessageInput"] | components["schemas"]["MentionMessageInput"] | components["schemas"]["TagMessageInput"] | components["schemas"]["SearchMessageInput"] | components["schemas"]["CommandMessageInput"] | components["schemas"]["FormMessageInput"] | components["schemas"]["FieldMessageInput"] | components["schemas"]["ResultsMessageInput"] | components["schemas"]["ReportMessageInput"] | components["schemas"]["StatusMessageInput"];
        /** @description Something said, with or without list items and buttons. */
        ChatMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type?: "chat";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description List items to look at, with a text. */
        CardMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "card";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description What somebody chose by a button: its payload. */
        PostbackMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "postback";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description Calls users or bots by `meta.targetUser` and `meta.targetBot`. */
        MentionMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "mention";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description A tag. Stored and told of, without effect. */
        TagMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "tag";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description A search. Stored and told of, without effect. */
        SearchMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "search";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description A command: `/set`, `/notify`, `/assign`, `/join`, `/accept`, `/leave`; `>name` is for bots. */
        CommandMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "command";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description Adds (`+name`) or removes (`-name`) a form. */
        FormMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "form";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description Sets a field: `.email ada@example.com`. */
        FieldMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "field";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description Completes forms: their values. */
        ResultsMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "results";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description A report. Stored and told of, without effect. */
        ReportMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "report";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description A status. Stored and told of, without effect. */
        StatusMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "status";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
        };
        /** @description An upsert where `contact` is an object, a plain create otherwise. */
        ConversationInput: components["schemas"]["Upsert"] | components["schemas"]["PlainConversation"];
        /** @description Finds the contact by telephone or email, or makes it; finds or makes its conversation; and posts into it (spec 5.7). */
        Upsert: {
            /** @description The organization that it belongs to; the caller's where absent. */
            organization: string;
            /** @description The name. An empty text counts as absent. */
            name?: string;
            /**
             * @description Who began it: events carry it as their third word.
             * @enum {string}
             */
            type?: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description Where it is: `queued` waits for an agent, `active` has one, `closed` is over.
             * @enum {string}
             */
            status?: "queued" | "active" | "closed";
            /** @description The name of its category. An empty text counts as absent. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language that is spoken in it. An empty text counts as absent. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The contact: its id, or who it is. */
            contact: components["schemas"]["UpsertContact"];
            /** @description Messages to post into it, in order. */
            messages: components["schemas"]["MessageInput"][];
        };
        /** @description A new conversation, of a contact that has none yet or of nobody. */
        PlainConversation: {
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description The name. An empty text counts as absent. */
            name?: string;
            /**
             * @description Who began it: events carry it as their third word.
             * @enum {string}
             */
            type?: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description Where it is: `queued` waits for an agent, `active` has one, `closed` is over.
             * @enum {string}
             */
            status?: "queued" | "active" | "closed";
            /** @description The name of its category. An empty text counts as absent. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language that is spoken in it. An empty text counts as absent. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The id of a contact that has no conversation yet. */
            contact?: string;
            /** @description Messages to post into it, in order. */
            messages?: components["schemas"]["MessageInput"][];
        };
        /** @description Opens a stream once, for a minute, without a token. */
        StreamTicket: {
            /**
             * Format: uri
             * @description The address of the stream with its ticket; `&after=` may be added. Whoever opens it a second time gets 401, so a client whose connection was lost asks for a new one.
             */
            url: string;
            /**
             * Format: date-time
             * @description Until when it is good.
             */
            expiresAt: string;
        };
        /** @description A user who takes part. */
        ParticipantInput: {
            /** @description The user. */
            user: string;
            /** @description Their role when they joined. */
            role?: string;
            /** @description How many messages they have not read. */
            unreadCount?: number;
            /** @description Whether they are busy with the conversation. */
            active?: boolean;
            /** @description Whether it is in their inbox: it was assigned, and not accepted yet. */
            inbox?: boolean;
            /** @description Whether they have accepted it. */
            accepted?: boolean;
            /** @description Whether they follow it. */
            follow?: boolean;
            /** @description A status of their own. */
            status?: string;
        };
        /** @description A touchpoint that is in use. */
        TouchpointInput: {
            /** @description The ids of the services that serve it. */
            services: string[];
            /** @description Whether it is the one in use. */
            selected?: boolean;
        };
        /** @description A form that is not complete yet. */
        ConversationFormInput: {
            /** @description The id of the form. */
            form: string;
            /** @description Its name. */
            name: string;
            /**
             * @description A `static` form stays; a `topic` is picked.
             * @enum {string}
             */
            type?: "topic" | "static";
            /** @description The category that it was added under. */
            category?: string;
            /** @description The index of that category. */
            categoryIndex?: number;
            /** @description What was filled in so far, by key. */
            values?: {
                [key: string]: unknown;
            };
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        ConversationPatch: {
            /** @description The name. */
            name?: string | null;
            /** @description Who began it: events carry it as their third word. */
            type?: ("bot" | "contact" | "viewer" | "agent" | "admin" | "system") | null;
            /** @description Where it is: `queued` waits for an agent, `active` has one, `closed` is over. */
            status?: ("queued" | "active" | "closed") | null;
            /** @description The name of its category. */
            category?: string | null;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number | null;
            /** @description The language that is spoken in it. */
            language?: string | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
            /** @description A contact without a conversation, for a conversation without a contact. */
            contact?: string;
            /** @description Who takes part, all of them. */
            participants?: components["schemas"]["ParticipantInput"][] | null;
            /** @description The touchpoints in use, by code, all of them. */
            touchpoints?: {
                [key: string]: components["schemas"]["TouchpointInput"];
            } | null;
            /** @description The forms that are not complete, all of them. */
            forms?: components["schemas"]["ConversationFormInput"][] | null;
            /** @description The channels that were notified. */
            channels?: string[] | null;
            /** @description The channels that were not notified, because nobody was online. */
            channelsOffline?: string[] | null;
        };
        /** @description Which bot may speak again. */
        UnblockInput: {
            /** @description The bot; absent: all of them. */
            bot?: string;
        };
        /** @description What is to wait no longer. */
        HurryInput: {
            /** @description The message; absent: all that wait. */
            message?: string;
        };
        /** @description Whether the caller is writing to the contact. */
        Typing: {
            /** @description Whether they are, for the next ten seconds. */
            typing: boolean;
        };
        /** @description Where the conversation can be gone on with, by touchpoint code. */
        Links: {
            /**
             * Format: uri
             * @description The contact's chat page.
             */
            web: string;
        } & {
            [key: string]: string;
        };
        /** @description An event of a conversation. */
        Message: components["schemas"]["ChatMessage"] | components["schemas"]["CardMessage"] | components["schemas"]["PostbackMessage"] | components["schemas"]["MentionMessage"] | components["schemas"]["TagMessage"] | components["schemas"]["SearchMessage"] | components["schemas"]["CommandMessage"] | components["schemas"]["FormMessage"] | components["schemas"]["FieldMessage"] | components["schemas"]["ResultsMessage"] | components["schemas"]["ReportMessage"] | components["schemas"]["StatusMessage"];
        /** @description Something said, with or without list items and buttons. */
        ChatMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "chat";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description List items to look at, with a text. */
        CardMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "card";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description What somebody chose by a button: its payload. */
        PostbackMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "postback";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description Calls users or bots by `meta.targetUser` and `meta.targetBot`. */
        MentionMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "mention";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description A tag. Stored and told of, without effect. */
        TagMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "tag";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description A search. Stored and told of, without effect. */
        SearchMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "search";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description A command: `/set`, `/notify`, `/assign`, `/join`, `/accept`, `/leave`; `>name` is for bots. */
        CommandMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "command";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description Adds (`+name`) or removes (`-name`) a form. */
        FormMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "form";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description Sets a field: `.email ada@example.com`. */
        FieldMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "field";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description Completes forms: their values. */
        ResultsMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "results";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description A report. Stored and told of, without effect. */
        ReportMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "report";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description A status. Stored and told of, without effect. */
        StatusMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "status";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
        };
        /** @description Who wrote it, of a user. */
        Author: {
            /** @description Their id. */
            id: string;
            /** @description Their name; absent where they are not yours to see and have none. */
            name?: string;
            /**
             * @description Their role; absent where they are not yours to see.
             * @enum {string}
             */
            role?: "viewer" | "agent" | "bot" | "admin";
            /**
             * Format: uri
             * @description A picture.
             */
            avatar?: string;
        };
        /** @description A message, with who wrote it. */
        TimelineMessage: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The contact of the conversation. */
            contact?: string;
            /** @description The conversation. */
            conversation: string;
            /** @description The last part of its address. */
            slug: string;
            /**
             * Format: uri
             * @description Where the chat page shows it.
             */
            url: string;
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @enum {string}
             */
            type: "chat" | "card" | "postback" | "mention" | "tag" | "search" | "command" | "form" | "field" | "results" | "report" | "status";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /** @description Its number within the conversation: 1, 2, 3 … without gaps, once it is processed. */
            sequence?: number;
            /**
             * Format: date-time
             * @description When it was processed; absent while it waits for its time.
             */
            processedAt?: string;
            author?: components["schemas"]["Author"];
        };
        /** @description One message to post, or 1 to 100 in order. */
        MessageInputs: components["schemas"]["MessageInput"] | components["schemas"]["MessageInput"][];
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        MessagePatch: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text?: string;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][] | null;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A message to post, and where. */
        AddressedMessageInput: components["schemas"]["AddressedChatMessageInput"] | components["schemas"]["AddressedCardMessageInput"] | components["schemas"]["AddressedPostbackMessageInput"] | components["schemas"]["AddressedMentionMessageInput"] | components["schemas"]["AddressedTagMessageInput"] | components["schemas"]["AddressedSearchMessageInput"] | components["schemas"]["AddressedCommandMessageInput"] | components["schemas"]["AddressedFormMessageInput"] | components["schemas"]["AddressedFieldMessageInput"] | components["schemas"]["AddressedResultsMessageInput"] | components["schemas"]["AddressedReportMessageInput"] | components["schemas"]["AddressedStatusMessageInput"];
        /** @description Something said, with or without list items and buttons. */
        AddressedChatMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type?: "chat";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description List items to look at, with a text. */
        AddressedCardMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "card";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description What somebody chose by a button: its payload. */
        AddressedPostbackMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "postback";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description Calls users or bots by `meta.targetUser` and `meta.targetBot`. */
        AddressedMentionMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "mention";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description A tag. Stored and told of, without effect. */
        AddressedTagMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "tag";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description A search. Stored and told of, without effect. */
        AddressedSearchMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "search";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description A command: `/set`, `/notify`, `/assign`, `/join`, `/accept`, `/leave`; `>name` is for bots. */
        AddressedCommandMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "command";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description Adds (`+name`) or removes (`-name`) a form. */
        AddressedFormMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "form";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description Sets a field: `.email ada@example.com`. */
        AddressedFieldMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "field";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description Completes forms: their values. */
        AddressedResultsMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "results";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description A report. Stored and told of, without effect. */
        AddressedReportMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "report";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description A status. Stored and told of, without effect. */
        AddressedStatusMessageInput: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @constant
             */
            type: "status";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel?: boolean;
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint?: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType?: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description The conversation that it is posted into. */
            conversation: string;
        };
        /** @description One message to post, or 1 to 100 in order, each with its conversation. */
        AddressedMessageInputs: components["schemas"]["AddressedMessageInput"] | components["schemas"]["AddressedMessageInput"][];
        /** @description What is known of a contact as a person. */
        ContactProfile: {
            /** @description The full name. */
            name?: string;
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /**
             * Format: email
             * @description The email address, in lower case and with its domain in ASCII; unique within the organization.
             */
            email?: string;
            /** @description The telephone number, stored as E.164 and unique within the organization. Without `+` and country code it is read as one of the country of the organization. */
            telephone?: string;
            /** @description The language and region. */
            locale?: string;
            /** @description The postal address: a flat object of texts. */
            address?: {
                [key: string]: string;
            };
        };
        /** @description A consumer who writes to the organization. */
        Contact: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The conversation of the contact, once there is one. */
            conversation?: string;
            profile: components["schemas"]["ContactProfile"];
            /** @description Preferences: free-form like `meta`. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description What is known of a contact as a person; an empty text counts as absent. */
        NewContactProfile: {
            /** @description The full name. */
            name?: string;
            /** @description The first name. */
            givenName?: string;
            /** @description The last name. */
            familyName?: string;
            /** @description The email address, in lower case and with its domain in ASCII; unique within the organization. */
            email?: string;
            /** @description The telephone number, stored as E.164 and unique within the organization. Without `+` and country code it is read as one of the country of the organization. */
            telephone?: string;
            /** @description The language and region. */
            locale?: string;
            /** @description The postal address: a flat object of texts. */
            address?: {
                [key: string]: string;
            };
        };
        /** @description A contact to create. */
        ContactInput: {
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            profile?: components["schemas"]["NewContactProfile"];
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        ContactPatch: {
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description What is known of a contact as a person. */
            profile?: components["schemas"]["ContactProfile"] | null;
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            } | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Something that agents and bots may look up. */
        KnowledgeItem: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The title. */
            title: string;
            /** @description What there is to know. */
            content?: string;
            /** @description A language, as in `en` or `nl-NL`. */
            language?: string;
            /** @description Words to find it by. */
            tags: string[];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description A knowledge item to create. */
        KnowledgeItemInput: {
            /** @description The title. */
            title: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description What there is to know. */
            content?: string;
            /** @description A language, as in `en` or `nl-NL`. */
            language?: string;
            /** @description Words to find it by. */
            tags?: string[];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        KnowledgeItemPatch: {
            /** @description The title. */
            title?: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description What there is to know. */
            content?: string | null;
            /** @description A language, as in `en` or `nl-NL`. */
            language?: string | null;
            /** @description Words to find it by. */
            tags?: string[] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A field of a form. */
        FormField: {
            /** @description What people read. */
            name: string;
            /** @description What its value is stored under. */
            key: string;
        };
        /** @description What is to be asked in a conversation. */
        Form: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The name. */
            name: string;
            /**
             * @description A `static` form stays with a conversation; a `topic` is picked.
             * @enum {string}
             */
            type: "topic" | "static";
            /** @description Its fields, in order. */
            fields: components["schemas"]["FormField"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description A form to create. */
        FormInput: {
            /** @description The name. */
            name: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /**
             * @description A `static` form stays with a conversation; a `topic` is picked.
             * @enum {string}
             */
            type?: "topic" | "static";
            /** @description Its fields, in order. */
            fields?: components["schemas"]["FormField"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        FormPatch: {
            /** @description The name. */
            name?: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description A `static` form stays with a conversation; a `topic` is picked. */
            type?: ("topic" | "static") | null;
            /** @description Its fields, in order. */
            fields?: components["schemas"]["FormField"][] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A member of a channel. */
        ChannelMember: {
            /** @description The user. */
            user: string;
            /** @description Whether they are there. A user whose status is `offline` counts as offline. */
            online: boolean;
        };
        /** @description A group of agents who are called together. */
        Channel: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The name. */
            name: string;
            /** @description Who is called when a conversation needs an agent. */
            members: components["schemas"]["ChannelMember"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description A member of a channel. */
        ChannelMemberInput: {
            /** @description The user. */
            user: string;
            /** @description Whether they are there. */
            online?: boolean;
        };
        /** @description A channel to create. */
        ChannelInput: {
            /** @description The name. */
            name: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description Who is called when a conversation needs an agent. */
            members?: components["schemas"]["ChannelMemberInput"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        ChannelPatch: {
            /** @description The name. */
            name?: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description Who is called when a conversation needs an agent. */
            members?: components["schemas"]["ChannelMemberInput"][] | null;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Whether the caller is online in the channel. */
        ChannelOnline: {
            /** @description Whether they are there. */
            online: boolean;
        };
        /** @description Where a webhook is, and what it hears. */
        WebhookParams: {
            /**
             * Format: uri
             * @description Where events are posted to. Credentials in it become an Authorization header.
             */
            url: string;
            /** @description What requests are signed with: `whsec_` and base64 of at least 16 bytes, or another text of at least 16 bytes. */
            secret?: string;
            /** @description Patterns `resource.operation.conversationType.messageType.role`; `*` is any word, a shorter pattern is a prefix. Everything where absent. */
            events?: string[];
        };
        /** @description A webhook. */
        Service: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The name. */
            name: string;
            /** @description Always `webhook`. */
            type: string;
            /** @description A bot: then it hears what that bot takes part in, and not its own messages. */
            user?: string;
            params: components["schemas"]["WebhookParams"];
            /**
             * @description Whether it is sent events: `pending` is being verified, `failed` was refused (its events wait), `disabled` is out of use.
             * @enum {string}
             */
            status: "pending" | "active" | "failed" | "disabled";
            /** @description Why it is not active, in words. */
            statusReason?: string;
            /**
             * Format: date-time
             * @description When it was verified last.
             */
            verifiedAt?: string;
            /**
             * Format: date-time
             * @description Since when no event has arrived.
             */
            failingSince?: string;
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description A webhook to register. */
        ServiceInput: {
            /** @description The name. */
            name: string;
            /** @description Always `webhook`. */
            type: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description A bot: then it hears what that bot takes part in, and not its own messages. */
            user?: string;
            params: components["schemas"]["WebhookParams"];
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        ServicePatch: {
            /** @description The name. */
            name?: string;
            /** @description Always `webhook`. */
            type?: string;
            /** @description A bot: then it hears what that bot takes part in, and not its own messages. */
            user?: string | null;
            params?: components["schemas"]["WebhookParams"];
            /**
             * @description `disabled` pauses it, `active` verifies it and sends what has waited.
             * @enum {string}
             */
            status?: "pending" | "active" | "failed" | "disabled";
        };
        /** @description What came of a sample. */
        WebhookTest: {
            /** @description The event that it was. */
            event: string;
            /** @description How long it took, in milliseconds. */
            durationMs: number;
            /**
             * @description What came of it.
             * @enum {string}
             */
            outcome: "delivered" | "rejected" | "timed_out" | "unreachable" | "private_address";
            /** @description The HTTP status of the answer. */
            status?: number;
            /** @description The first 16 KiB of the answer. */
            response?: string;
            /** @description Why there was no answer, or where a redirect points. */
            reason?: string;
            /** @description How many requests were made, where more than one: an idle connection closed under the first. */
            requests?: number;
        };
        /** @description What to send again. */
        ReplayInput: {
            /**
             * Format: date-time
             * @description From when on: a time, ISO 8601.
             */
            since: string;
            /**
             * @description Those of this status; where absent, those that never arrived.
             * @enum {string}
             */
            status?: "delivered" | "failed" | "skipped";
        };
        /** @description What is sent again. */
        Replay: {
            /** @description How many were queued by this request. */
            replayed: number;
            /** @description How many of the same time were pending anyway. */
            pending: number;
        };
        /** @description A delivery, as lists show it. */
        ListedDelivery: {
            /** @description Event and service: `{eventId}:{service}`. */
            id: string;
            /** @description The event's name, as in its body. */
            event: string;
            /** @description The `id` of its body. */
            eventId: string;
            /** @description The webhook that it goes to. */
            service: string;
            /** @description The organization of the service. */
            organization: string;
            /** @description The conversation that the event tells of. */
            conversation?: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            /**
             * @description Where it is: `pending` is to be sent, `failed` was given up, `skipped` was never sent, because the service is disabled.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "skipped";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it arrived or was given up.
             */
            finishedAt?: string;
            /**
             * Format: date-time
             * @description When it is removed. Of pending ones only while they wait for their service to become active.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description Of pending ones. For those behind another one of their conversation: when they are looked at again at the latest. Absent while they wait for their service to become active.
             */
            nextAttemptAt?: string;
            /** @description How often it was tried. */
            attemptCount: number;
        };
        /** @description One attempt to deliver an event. */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /** @description How long it took, in milliseconds. */
            durationMs: number;
            /**
             * @description What came of it.
             * @enum {string}
             */
            outcome: "delivered" | "rejected" | "timed_out" | "unreachable" | "private_address";
            /** @description The HTTP status of the answer. */
            status?: number;
            /** @description The first 16 KiB of the answer. */
            response?: string;
            /** @description Why there was no answer, or where a redirect points. */
            reason?: string;
            /** @description How many requests were made, where more than one: an idle connection closed under the first. */
            requests?: number;
            /** @description What became of the messages in the answer. */
            reply?: string;
        };
        /** @description Everything that a webhook may be sent: `event` says what it is. */
        WebhookEvent: components["schemas"]["MessageCreated"] | components["schemas"]["MessageUpdated"] | components["schemas"]["MessageDeleted"] | components["schemas"]["ConversationCreated"] | components["schemas"]["ConversationUpdated"] | components["schemas"]["ConversationDeleted"] | components["schemas"]["ContactCreated"] | components["schemas"]["ContactUpdated"] | components["schemas"]["ContactDeleted"] | components["schemas"]["UserCreated"] | components["schemas"]["UserUpdated"] | components["schemas"]["UserDeleted"] | components["schemas"]["UserLoggedIn"] | components["schemas"]["OrganizationCreated"] | components["schemas"]["OrganizationUpdated"] | components["schemas"]["OrganizationDeleted"] | components["schemas"]["OrganizationGroupCreated"] | components["schemas"]["OrganizationGroupUpdated"] | components["schemas"]["OrganizationGroupDeleted"] | components["schemas"]["FormCreated"] | components["schemas"]["FormUpdated"] | components["schemas"]["FormDeleted"] | components["schemas"]["ChannelCreated"] | components["schemas"]["ChannelUpdated"] | components["schemas"]["ChannelDeleted"] | components["schemas"]["ServiceCreated"] | components["schemas"]["ServiceUpdated"] | components["schemas"]["ServiceDeleted"] | components["schemas"]["ServiceFailed"] | components["schemas"]["EventTypeCreated"] | components["schemas"]["EventTypeUpdated"] | components["schemas"]["EventTypeDeleted"] | components["schemas"]["KnowledgeItemCreated"] | components["schemas"]["KnowledgeItemUpdated"] | components["schemas"]["KnowledgeItemDeleted"];
        /** @description An event on its way to a webhook, with every attempt. */
        Delivery: {
            /** @description Event and service: `{eventId}:{service}`. */
            id: string;
            /** @description The event's name, as in its body. */
            event: string;
            /** @description The `id` of its body. */
            eventId: string;
            /** @description The webhook that it goes to. */
            service: string;
            /** @description The organization of the service. */
            organization: string;
            /** @description The conversation that the event tells of. */
            conversation?: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            /**
             * @description Where it is: `pending` is to be sent, `failed` was given up, `skipped` was never sent, because the service is disabled.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "skipped";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it arrived or was given up.
             */
            finishedAt?: string;
            /**
             * Format: date-time
             * @description When it is removed. Of pending ones only while they wait for their service to become active.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description Of pending ones. For those behind another one of their conversation: when they are looked at again at the latest. Absent while they wait for their service to become active.
             */
            nextAttemptAt?: string;
            /** @description How often it was tried. */
            attemptCount: number;
            /** @description Every attempt, the first one first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            body: components["schemas"]["WebhookEvent"];
        };
        /** @description A kind of business event, and what is made of it. */
        EventType: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description Its name, unique in the organization. */
            name: string;
            /** @description What it tells. */
            description?: string;
            /** @description The JSONata expression that makes of an event `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata?: string;
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
        };
        /** @description An event type to create. */
        EventTypeInput: {
            /** @description words of letters, digits, "_" and "-" joined by dots, as in order.created */
            name: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description What it tells. */
            description?: string;
            /** @description The JSONata expression that makes of an event `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata?: string;
        };
        /** @description What to change: a field that is left out stays as it is, null clears it. */
        EventTypePatch: {
            /** @description words of letters, digits, "_" and "-" joined by dots, as in order.created */
            name?: string;
            /** @description The organization that it belongs to; the caller's where absent. */
            organization?: string;
            /** @description What it tells. */
            description?: string | null;
            /** @description The JSONata expression that makes of an event `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata?: string | null;
        };
        /** @description A business event as a CloudEvent 1.0, in structured form. */
        CloudEvent: {
            /**
             * @description The version of CloudEvents.
             * @constant
             */
            specversion: "1.0";
            /** @description Names the event, together with `source`: the same again is the same event. */
            id: string;
            /** @description Where it happened. */
            source: string;
            /** @description What happened: the name of the event, where the path has none. */
            type: string;
            /** @description The body; null where absent. */
            data?: unknown;
        };
        /** @description A business event as a form. A field that is there several times is the list of its texts. */
        FormEvent: {
            [key: string]: string;
        };
        /** @description The contact, of an upsert. */
        EventPreviewContact: {
            profile: components["schemas"]["ContactProfile"];
        };
        /** @description A message that would be posted. */
        EventPreviewMessage: {
            /** @description What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done. */
            text: string;
            /**
             * @description What kind of message it is.
             * @enum {string}
             */
            type: "chat" | "card" | "postback" | "mention" | "tag" | "search" | "command" | "form" | "field" | "results" | "report" | "status";
            /**
             * @description Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.
             * @enum {string}
             */
            role?: "contact" | "agent" | "bot" | "system";
            /** @description Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`. */
            isBackchannel: boolean;
            /**
             * @description What `text` is; only on chat, card, postback and mention.
             * @enum {string}
             */
            contentType?: "text/plain" | "text/html" | "text/url" | "image/png" | "image/gif" | "image/jpg" | "image/jpeg" | "application/pdf";
            /** @description Who it is from: the caller where absent. Another needs scope bot. */
            user?: string;
            /** @description The id of the external service that it is mirrored with. */
            service?: string;
            /** @description The touchpoint that it came or goes by. Default web. */
            touchpoint: string;
            /** @description Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing. */
            delay?: number;
            /** @description A list; only on chat, card and postback. */
            items?: components["schemas"]["Item"][];
            /** @description Buttons. Replies and location requests go with nothing else. */
            actions?: components["schemas"]["Action"][];
            /** @description Completed forms; of a message of type results. */
            results?: components["schemas"]["FormResult"][];
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The kind of provider that it goes through: `api`, `webhook`, or one that is configured. */
            serviceType: string;
            /** @description An id of your own: a second message with the same one in a conversation is answered with the first (200). */
            externalId?: string;
            /** @description Who it would be from. */
            createdBy: string;
        };
        /** @description What would be posted into one conversation. */
        EventPreviewResult: {
            /** @description Whether the conversation would be made. */
            created: boolean;
            /** @description The conversation. */
            conversation?: string;
            contact?: components["schemas"]["EventPreviewContact"];
            /** @description The messages, in order. */
            messages: components["schemas"]["EventPreviewMessage"][];
        };
        /** @description What an event would post. */
        EventPreview: {
            /**
             * @description What would become of it.
             * @enum {string}
             */
            status: "processed" | "ignored";
            /** @description What would be posted, by conversation. */
            results: components["schemas"]["EventPreviewResult"][];
        };
        /** @description Which events of a type to run again. */
        EventTypeRetryInput: {
            /**
             * Format: date-time
             * @description From when on they came: a time, ISO 8601.
             */
            since: string;
            /**
             * @description Those of this status; where absent, `failed`.
             * @enum {string}
             */
            status?: "failed" | "ignored";
        };
        /** @description What is run again. */
        RetriedEvents: {
            /** @description How many are run again. */
            retried: number;
        };
        /** @description Where a system posts that can only be given a URL. */
        IngestAddress: {
            /** @description The type of what is posted there. */
            eventtype: string;
            /** @description As whom it posts. */
            user: string;
            /**
             * @description How the sender signs its posts. Absent: they are not signed.
             * @enum {string}
             */
            signature?: "standard-webhooks" | "github" | "stripe" | "shopify" | "slack";
            /** @description The user who made it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: uri
             * @description The address: shown in the answer that makes it, and never again.
             */
            url?: string;
        };
        /** @description An ingest address to make. */
        IngestAddressInput: {
            /** @description As whom it posts: a bot of the organization of the event type, or below. */
            user: string;
            /** @description What posts are signed with; without one any post is taken. Of `standard-webhooks`: `whsec_` and base64 of at least 16 bytes, or another text of at least 16 bytes. Of the others: as they show it. */
            secret?: string;
            /**
             * @description How the sender signs its posts. `standard-webhooks` where absent.
             * @enum {string}
             */
            signature?: "standard-webhooks" | "github" | "stripe" | "shopify" | "slack";
        };
        /** @description An expression that is not kept yet, and an event to try it with. */
        ExpressionDraft: {
            /** @description The JSONata expression that makes of an event `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
            jsonata: string;
            /** @description The body of the event. */
            body: unknown;
        };
        /** @description What is wrong at one place of the result. */
        BusinessEventErrorDetail: {
            /** @description The place, dotted. */
            path: string;
            /** @description What is wrong there. */
            message: string;
        };
        /** @description Why it failed. */
        BusinessEventError: {
            /** @description In words. */
            message: string;
            /** @description The places that are wrong. */
            details?: components["schemas"]["BusinessEventErrorDetail"][];
        };
        /** @description A business event, with what became of it. */
        BusinessEvent: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description What became of it: `processed` has posted, `ignored` had nothing to post, `failed` says why in `error`, `unrouted` waits for an event type.
             * @enum {string}
             */
            status: "received" | "processed" | "ignored" | "failed" | "unrouted";
            /** @description The conversations that it posted into. */
            conversations: string[];
            /** @description The messages that it posted. */
            messages: string[];
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The name of its event type. */
            name: string;
            /** @description Its event type; none where it is `unrouted`. */
            eventtype?: string;
            /** @description What was sent. Lists leave out bodies above 16 KiB. */
            body?: unknown;
            error?: components["schemas"]["BusinessEventError"];
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When it was run last.
             */
            processedAt?: string;
        };
        /** @description Which unrouted events to run. */
        UnroutedRetryInput: {
            /** @description What they were sent as. */
            name: string;
            /**
             * Format: date-time
             * @description From when on they came: a time, ISO 8601.
             */
            since: string;
        };
        /** @description What became of a business event. */
        BusinessEventOutcome: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description What became of it: `processed` has posted, `ignored` had nothing to post, `failed` says why in `error`, `unrouted` waits for an event type.
             * @enum {string}
             */
            status: "received" | "processed" | "ignored" | "failed" | "unrouted";
            /** @description The conversations that it posted into. */
            conversations: string[];
            /** @description The messages that it posted. */
            messages: string[];
        };
        /** @description Who did it. */
        ActivityActor: {
            /** @description What they are in ActivityStreams 2. */
            type: string;
            /** @description Their address in this API. */
            id: string;
        };
        /** @description What it was done to. */
        ActivityObject: {
            /** @description What it is in ActivityStreams 2. */
            type: string;
            /** @description Its address in this API. */
            id?: string;
            /** @description Where it is shown. */
            url?: string;
            /** @description Its name. */
            name?: string;
            /** @description Its text. */
            content?: string;
            /** @description The type of its text. */
            mediaType?: string;
        };
        /** @description The event as an activity of ActivityStreams 2. */
        Activity: {
            /**
             * @description Always this.
             * @constant
             */
            "@context": "https://www.w3.org/ns/activitystreams";
            /** @description What was done. */
            type: string;
            actor: components["schemas"]["ActivityActor"];
            object: components["schemas"]["ActivityObject"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            published: string;
            /** @description The same in words. */
            summary: string;
        };
        /** @description A conversation as it was at that moment, without its list of messages. */
        ConversationSnapshot: {
            /** @description Its id. */
            id: string;
            /** @description The last part of its address: the key to the chat page. */
            slug: string;
            /**
             * Format: uri
             * @description The contact's chat page.
             */
            url: string;
            /** @description The organization that it belongs to. */
            organization: string;
            /** @description The name. */
            name?: string;
            /**
             * @description Who began it: events carry it as their third word.
             * @enum {string}
             */
            type: "bot" | "contact" | "viewer" | "agent" | "admin" | "system";
            /**
             * @description Where it is: `queued` waits for an agent, `active` has one, `closed` is over.
             * @enum {string}
             */
            status: "queued" | "active" | "closed";
            /** @description The name of its category. */
            category?: string;
            /** @description The index of the category in the organization's `categories`. */
            categoryIndex?: number;
            /** @description The language that is spoken in it. */
            language?: string;
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta: {
                [key: string]: unknown;
            };
            /** @description The contact. */
            contact?: string;
            /** @description The users who take part. */
            participants: components["schemas"]["Participant"][];
            /** @description The channels that were notified. */
            channels: string[];
            /** @description The channels that were not notified, because nobody was online. */
            channelsOffline: string[];
            /** @description The touchpoints in use, by code. */
            touchpoints: {
                [key: string]: components["schemas"]["Touchpoint"];
            };
            /** @description The forms that are not complete. */
            forms: components["schemas"]["ConversationForm"][];
            /** @description The forms that were completed. */
            results: components["schemas"]["ConversationResult"][];
            /** @description The user who created it. */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When its last chat, card, postback or mention was processed; before the first one, when it was created. Nothing else changes it, so lists sorted by it move by messages alone.
             */
            lastMessageAt: string;
        };
        /** @description What webhooks are sent for `message.create`. */
        MessageCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /** @description The event, with the types of the conversation and of the message. */
            event: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                message: components["schemas"]["Message"];
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description Messages to post into the conversation of the event. */
        WebhookReply: {
            /** @description Who posts them: an access token or API key. */
            token: string;
            /** @description The messages, in order. */
            messages: components["schemas"]["MessageInput"][];
        };
        /** @description What webhooks are sent for `message.update`. */
        MessageUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /** @description The event, with the types of the conversation and of the message. */
            event: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                message: components["schemas"]["Message"];
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description What webhooks are sent for `message.delete`. */
        MessageDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /** @description The event, with the types of the conversation and of the message. */
            event: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                message: components["schemas"]["Message"];
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description What webhooks are sent for `conversation.create`. */
        ConversationCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "conversation.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description What webhooks are sent for `conversation.update`. */
        ConversationUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "conversation.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description What webhooks are sent for `conversation.delete`. */
        ConversationDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "conversation.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                conversation: components["schemas"]["ConversationSnapshot"];
                links: components["schemas"]["Links"];
            };
        };
        /** @description A contact as it was at that moment. Of one that was deleted with its conversation, its ids alone. */
        ContactSnapshot: {
            /** @description Its id. */
            id: string;
            /** @description The organization that it belongs to. */
            organization?: string;
            /** @description The conversation of the contact, once there is one. */
            conversation?: string;
            profile?: components["schemas"]["ContactProfile"];
            /** @description Preferences: free-form like `meta`. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Free-form keys and values, at most 16 KiB as JSON. Keys have no dot and do not begin with `$`. */
            meta?: {
                [key: string]: unknown;
            };
            /** @description The user who created it. */
            createdBy?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedAt?: string;
        };
        /** @description What webhooks are sent for `contact.create`. */
        ContactCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "contact.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                contact: components["schemas"]["ContactSnapshot"];
                conversation?: components["schemas"]["ConversationSnapshot"];
                links?: components["schemas"]["Links"];
            };
        };
        /** @description What webhooks are sent for `contact.update`. */
        ContactUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "contact.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                contact: components["schemas"]["ContactSnapshot"];
                conversation?: components["schemas"]["ConversationSnapshot"];
                links?: components["schemas"]["Links"];
            };
        };
        /** @description What webhooks are sent for `contact.delete`. */
        ContactDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "contact.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                contact: components["schemas"]["ContactSnapshot"];
                conversation?: components["schemas"]["ConversationSnapshot"];
                links?: components["schemas"]["Links"];
            };
        };
        /** @description What webhooks are sent for `user.create`. */
        UserCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "user.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                user: components["schemas"]["User"];
            };
        };
        /** @description What webhooks are sent for `user.update`. */
        UserUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "user.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                user: components["schemas"]["User"];
            };
        };
        /** @description What webhooks are sent for `user.delete`. */
        UserDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "user.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                user: components["schemas"]["User"];
            };
        };
        /** @description What webhooks are sent for `user.login`. */
        UserLoggedIn: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "user.login";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                user: components["schemas"]["User"];
            };
        };
        /** @description What webhooks are sent for `organization.create`. */
        OrganizationCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "organization.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                organization: components["schemas"]["Organization"];
            };
        };
        /** @description What webhooks are sent for `organization.update`. */
        OrganizationUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "organization.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                organization: components["schemas"]["Organization"];
            };
        };
        /** @description What webhooks are sent for `organization.delete`. */
        OrganizationDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "organization.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                organization: components["schemas"]["Organization"];
            };
        };
        /** @description What webhooks are sent for `orggroup.create`. */
        OrganizationGroupCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "orggroup.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                orggroup: components["schemas"]["OrganizationGroup"];
            };
        };
        /** @description What webhooks are sent for `orggroup.update`. */
        OrganizationGroupUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "orggroup.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                orggroup: components["schemas"]["OrganizationGroup"];
            };
        };
        /** @description What webhooks are sent for `orggroup.delete`. */
        OrganizationGroupDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "orggroup.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                orggroup: components["schemas"]["OrganizationGroup"];
            };
        };
        /** @description What webhooks are sent for `form.create`. */
        FormCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "form.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                form: components["schemas"]["Form"];
            };
        };
        /** @description What webhooks are sent for `form.update`. */
        FormUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "form.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                form: components["schemas"]["Form"];
            };
        };
        /** @description What webhooks are sent for `form.delete`. */
        FormDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "form.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                form: components["schemas"]["Form"];
            };
        };
        /** @description What webhooks are sent for `channel.create`. */
        ChannelCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "channel.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                channel: components["schemas"]["Channel"];
            };
        };
        /** @description What webhooks are sent for `channel.update`. */
        ChannelUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "channel.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                channel: components["schemas"]["Channel"];
            };
        };
        /** @description What webhooks are sent for `channel.delete`. */
        ChannelDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "channel.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                channel: components["schemas"]["Channel"];
            };
        };
        /** @description What webhooks are sent for `service.create`. */
        ServiceCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "service.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                service: components["schemas"]["Service"];
            };
        };
        /** @description What webhooks are sent for `service.update`. */
        ServiceUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "service.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                service: components["schemas"]["Service"];
            };
        };
        /** @description What webhooks are sent for `service.delete`. */
        ServiceDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "service.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                service: components["schemas"]["Service"];
            };
        };
        /** @description Why the event was given up, or the service is out of use. */
        ServiceFailure: {
            /** @description In words. */
            reason: string;
            /** @description The delivery that was tried last. */
            delivery: string;
            /** @description Its event. */
            event: string;
            /**
             * @description What came of the attempt.
             * @enum {string}
             */
            outcome: "delivered" | "rejected" | "timed_out" | "unreachable" | "private_address";
            /**
             * Format: date-time
             * @description When it was tried.
             */
            at: string;
            /** @description The HTTP status of the answer. */
            status?: number;
        };
        /** @description What webhooks are sent for `service.error`. */
        ServiceFailed: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "service.error";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                service: components["schemas"]["Service"];
                error: components["schemas"]["ServiceFailure"];
            };
        };
        /** @description What webhooks are sent for `eventtype.create`. */
        EventTypeCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "eventtype.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                eventtype: components["schemas"]["EventType"];
            };
        };
        /** @description What webhooks are sent for `eventtype.update`. */
        EventTypeUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "eventtype.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                eventtype: components["schemas"]["EventType"];
            };
        };
        /** @description What webhooks are sent for `eventtype.delete`. */
        EventTypeDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "eventtype.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                eventtype: components["schemas"]["EventType"];
            };
        };
        /** @description What webhooks are sent for `kbitem.create`. */
        KnowledgeItemCreated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "kbitem.create";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                kbitem: components["schemas"]["KnowledgeItem"];
            };
        };
        /** @description What webhooks are sent for `kbitem.update`. */
        KnowledgeItemUpdated: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "kbitem.update";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                kbitem: components["schemas"]["KnowledgeItem"];
            };
        };
        /** @description What webhooks are sent for `kbitem.delete`. */
        KnowledgeItemDeleted: {
            /** @description The event's: the same over retries, replays and services. */
            id: string;
            /**
             * @description The event.
             * @constant
             */
            event: "kbitem.delete";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The organization that it happened in. */
            organization: string;
            /** @description Its place among the events of its conversation, or of its organization where it has none. */
            sequence: number;
            activity: components["schemas"]["Activity"];
            /** @description The records as they were at that moment. */
            data: {
                kbitem: components["schemas"]["KnowledgeItem"];
            };
        };
        Operations: {
            /** @description Log in, or refresh an expired token. Signs in with `email` and `password`, and `otp` where the user has one; or, with `refreshToken` and `clientId` and without an Authorization header, gets new tokens after the access token has expired. Ten failures in 15 minutes for one email lock it for 15 minutes (429). Open to anybody. */
            "POST /auth/token": {
                body: components["schemas"]["TokenInput"];
                answer: components["schemas"]["Token"];
            };
            /** @description Refresh a token that is still good. Gets new tokens for a refresh token while the access token is still good. The refresh token is used up; who uses it again ends the whole session. Needs scope guest. */
            "GET /auth/token": {
                query: {
                    refreshToken: string;
                };
                answer: components["schemas"]["Token"];
            };
            /** @description End this session. Ends the session of the token: its access and refresh tokens are refused from now on. Needs scope guest. In a session only: API keys are refused. */
            "POST /auth/logout": Record<string, never>;
            /** @description List organizations. A page of the organizations of your organization and those below, by any of their fields. Needs scope bot. */
            "GET /organizations": {
                answer: components["schemas"]["Organization"][];
            };
            /** @description Create an organization. Creates an organization; `Location` says where it is. Needs scope admin. */
            "POST /organizations": {
                body: components["schemas"]["OrganizationInput"];
                answer: components["schemas"]["Organization"];
            };
            /** @description Fetch an organization. One organization, in the shape that `select` and `populate` ask for. Needs scope bot. */
            "GET /organizations/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Organization"];
            };
            /** @description Change an organization. Changes the fields that the body names, and answers the whole organization; null clears a field that is optional. A nested object or list replaces the stored one as a whole. Needs scope admin. */
            "PATCH /organizations/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["OrganizationPatch"];
                answer: components["schemas"]["Organization"];
            };
            /** @description Delete an organization. Deletes the organization: from then on it is answered 404. Needs scope admin. */
            "DELETE /organizations/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Say since when the widget has a secret. Says since when the widget has a secret, and never what it is. Needs scope admin. */
            "GET /organizations/{id}/widget/secret": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["WidgetSecret"];
            };
            /** @description Give the widget a new secret, shown in this answer only. Makes a secret for visitors whom a website knows. The answer shows it, this once; the one that it replaces is good for a day more. Needs scope admin. */
            "POST /organizations/{id}/widget/secret": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["WidgetSecret"];
            };
            /** @description Forget the widget's secrets. Forgets the secret and the one before: no signature of a visitor is valid any more. Needs scope admin. */
            "DELETE /organizations/{id}/widget/secret": {
                path: {
                    id: string;
                };
            };
            /** @description List organization groups. A page of the organization groups of your organization and those below, by any of their fields. Needs scope bot. */
            "GET /orggroups": {
                answer: components["schemas"]["OrganizationGroup"][];
            };
            /** @description Create an organization group. Creates an organization group; `Location` says where it is. Needs scope admin. */
            "POST /orggroups": {
                body: components["schemas"]["OrganizationGroupInput"];
                answer: components["schemas"]["OrganizationGroup"];
            };
            /** @description Fetch an organization group. One organization group, in the shape that `select` and `populate` ask for. Needs scope bot. */
            "GET /orggroups/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["OrganizationGroup"];
            };
            /** @description Change an organization group. Changes the fields that the body names, and answers the whole organization group; null clears a field that is optional. A nested object or list replaces the stored one as a whole. Needs scope admin. */
            "PATCH /orggroups/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["OrganizationGroupPatch"];
                answer: components["schemas"]["OrganizationGroup"];
            };
            /** @description Delete an organization group. Deletes the organization group: from then on it is answered 404. Needs scope admin. */
            "DELETE /orggroups/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List users. A page of the users of your organization and those below, by any of their fields. Needs scope bot. */
            "GET /users": {
                answer: components["schemas"]["User"][];
            };
            /** @description Create a user. Creates a person, or with role bot a bot. Without an email one is made up, which is a bot’s `clientId`. Needs scope admin. */
            "POST /users": {
                body: components["schemas"]["UserInput"];
                answer: components["schemas"]["User"];
            };
            /** @description Fetch a user; `me` is the caller. One user, in the shape that `select` and `populate` ask for. Needs scope bot; for the caller's own record, guest. */
            "GET /users/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["User"];
            };
            /** @description Change a user. Changes the fields that the body names, and answers the whole user; null clears a field that is optional. A nested object or list replaces the stored one as a whole. Needs scope admin; for the caller's own record, guest. */
            "PATCH /users/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["UserPatch"];
                answer: components["schemas"]["User"];
            };
            /** @description Delete a user. Deletes the user: from then on it is answered 404. Needs scope admin. */
            "DELETE /users/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Fetch a user; `me` is the caller. The user whose token it is. Needs scope guest. */
            "GET /users/me": {
                answer: components["schemas"]["User"];
            };
            /** @description Change a user. Changes the user whose token it is. A new email or password needs `currentPassword`, and a session rather than an API key. Needs scope guest. */
            "PATCH /users/me": {
                body: components["schemas"]["UserPatch"];
                answer: components["schemas"]["User"];
            };
            /** @description Ask for a secret for one-time passwords. Answers a secret for an authenticator app. It counts once `confirmOtp` has shown that the caller has it. Needs scope guest. In a session only: API keys are refused. */
            "POST /users/me/otp": {
                body: components["schemas"]["OtpProposal"];
                answer: components["schemas"]["OtpSecret"];
            };
            /** @description Confirm the secret: from now on a login needs a one-time password. Shows with a one-time password that the caller has the secret: from now on a login needs one. Needs scope guest. In a session only: API keys are refused. */
            "PUT /users/me/otp": {
                body: components["schemas"]["OtpInput"];
            };
            /** @description Log in without one-time passwords again. Shows with a one-time password that the caller has the secret: from now on a login needs none. Needs scope guest. In a session only: API keys are refused. */
            "DELETE /users/me/otp": {
                body: components["schemas"]["OtpInput"];
            };
            /** @description Let a user below log in without one-time passwords again. Removes the one-time passwords of a user who has lost the authenticator: from now on their login needs none. Needs scope admin. In a session only: API keys are refused. */
            "DELETE /users/{id}/otp": {
                path: {
                    id: string;
                };
            };
            /** @description List a user's API keys. The API keys of a user, without the keys themselves. Needs scope admin. */
            "GET /users/{id}/apikeys": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["ApiKey"][];
            };
            /** @description Create an API key. Creates an API key. The answer shows it in `token`, this once. Needs scope admin. */
            "POST /users/{id}/apikeys": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ApiKeyInput"];
                answer: components["schemas"]["ApiKey"];
            };
            /** @description Revoke an API key. Revokes an API key: it is refused at once, by other processes within five seconds. Needs scope admin. */
            "DELETE /users/{id}/apikeys/{key}": {
                path: {
                    id: string;
                    key: string;
                };
            };
            /** @description List conversations. A page of the conversations within reach, by any of their fields. A filter on `meta` needs another one beside it: id, type, participants.user, status, createdAt, categoryIndex, category, organization or updatedAt. Needs scope agent. */
            "GET /conversations": {
                answer: components["schemas"]["Conversation"][];
            };
            /** @description Create or upsert a conversation. With `contact` as an object, an *upsert*: finds the contact by telephone or email, or makes it; finds its conversation (200), or makes it (201); and posts the messages. Else a *plain create* of a conversation, of a contact that has none yet or of nobody. Needs scope agent. */
            "POST /conversations": {
                body: components["schemas"]["ConversationInput"];
                answer: components["schemas"]["Conversation"];
            };
            /** @description Search conversations. Conversations whose name, forms, results or contact have, for each word of `q`, a word that begins with it; whatever case and accents. Takes `limit`, `offset`, `select` and `populate` as a list does. Needs scope agent. */
            "GET /conversations/search": {
                query: {
                    q: string;
                };
                answer: components["schemas"]["Conversation"][];
            };
            /** @description Hear which conversations change. Server-sent events: which conversations of the caller’s organization, and of those below it, are new or have changed, within a second or two, from now on. What happened before is asked of `listConversations`. Needs scope agent. */
            "GET /conversations/stream": {
                /** @description Server-sent events `conversation`, each `{id, updatedAt, lastMessageAt}` of a conversation that is new or has changed. What happened while nobody listened is in the list: `GET /conversations?updatedAt=>=…`. */
                answer: string;
            };
            /** @description Fetch a conversation. One conversation, in the shape that `select` and `populate` ask for. Needs scope guest. */
            "GET /conversations/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Conversation"];
            };
            /** @description Repair a conversation. A repair. In everyday work a conversation changes by the messages that are posted into it: `/set`, `/assign`, `/accept`, `/leave`. A nested object or list in the body replaces the stored one as a whole. Needs scope admin. */
            "PATCH /conversations/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ConversationPatch"];
                answer: components["schemas"]["Conversation"];
            };
            /** @description Delete a conversation with its contact, messages, deliveries and histories. Removes the conversation with its contact, its messages, its deliveries and its histories. For test data and requests for removal. Needs scope admin. */
            "DELETE /conversations/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Hear what happens in a conversation. Server-sent events: what happens in the conversation, as it happens. `Last-Event-ID` or `after` says where to go on. A browser’s EventSource takes the address of `createStreamTicket`. Needs scope guest. */
            "GET /conversations/{id}/stream": {
                path: {
                    id: string;
                };
                /** @description Server-sent events. `message`: a new message; again, with the same `id`, when it is edited; `{id, sequence, deletedAt}` when it is deleted. `typing`: who is. `read`: how far the contact has read. `conversation`: at first, and after each change. `heartbeat`: every 15 seconds. A client that comes back with `Last-Event-ID` misses nothing. */
                answer: string;
            };
            /** @description Ask for an address of the stream for a browser's EventSource. An address that opens the stream once, within a minute, without a token. Needs scope guest. */
            "POST /conversations/{id}/stream/ticket": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["StreamTicket"];
            };
            /** @description Let a bot that a loop rule blocks speak again. Forgets what the bot-loop rules have counted of a bot in the conversation, or of all bots: it may speak again at once. Needs scope admin. */
            "POST /conversations/{id}/unblock": {
                path: {
                    id: string;
                };
                body: components["schemas"]["UnblockInput"];
                answer: components["schemas"]["Conversation"];
            };
            /** @description Have delayed messages processed at once. Has the messages that wait for their time processed at once, in the order in which they would have come; or the one that is named. Needs scope admin. */
            "POST /conversations/{id}/hurry": {
                path: {
                    id: string;
                };
                body: components["schemas"]["HurryInput"];
                answer: components["schemas"]["Conversation"];
            };
            /** @description Mark everything as read by the caller. The caller's `unreadCount` becomes 0. Needs scope guest. */
            "PUT /conversations/{id}/read": {
                path: {
                    id: string;
                };
            };
            /** @description Say that the caller is writing to the contact, or has stopped. Says that the caller is writing to the contact: for ten seconds, or until `false`. Streams tell it; it is no message, and no webhook hears of it. Needs scope agent. */
            "PUT /conversations/{id}/typing": {
                path: {
                    id: string;
                };
                body: components["schemas"]["Typing"];
            };
            /** @description Fetch a conversation's links. Where the conversation can be gone on with, by touchpoint code: `web` is the chat page. Needs scope guest. */
            "GET /conversations/{id}/links": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Links"];
            };
            /** @description Fetch a conversation's links. The same as `getConversationLinks`, with the conversation in the query. Needs scope guest. */
            "GET /links": {
                query: {
                    conversation: string;
                };
                answer: components["schemas"]["Links"];
            };
            /** @description List a conversation's messages. The messages of one conversation, in order unless `sort` says another; by any of their fields. Needs scope bot. */
            "GET /conversations/{id}/messages": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Message"][];
            };
            /** @description Post into a conversation. Posts one message, or a list of 1 to 100: admitted as a whole or refused as a whole, and processed in order. The answer is a message for a message, a list for a list. Needs scope guest. */
            "POST /conversations/{id}/messages": {
                path: {
                    id: string;
                };
                body: components["schemas"]["MessageInputs"];
                answer: components["schemas"]["Message"] | components["schemas"]["Message"][];
            };
            /** @description List a conversation's messages with the names of their authors. The messages of a conversation that the caller may see, with the name, role and picture of who wrote each. Takes the parameters of lists. Needs scope agent. */
            "GET /conversations/{id}/timeline": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["TimelineMessage"][];
            };
            /** @description List messages. A page of messages, by any of their fields. At least one of id, organization, conversation, type, role and createdAt has to narrow it. Messages that wait for their time are shown to a query on `processedAt=!`, or by id. Needs scope bot. */
            "GET /messages": {
                answer: components["schemas"]["Message"][];
            };
            /** @description Post messages. Posts one message, or a list of 1 to 100 into one conversation: admitted as a whole or refused as a whole, and processed in order. `isBackchannel` defaults to true: only the people who staff the conversation see the message, unless it says false or the role is contact or agent. A command with wrong arguments is refused (422); an unknown one is stored without effect, and the answer says so in `X-Hint` and `meta.hint`. Needs scope guest. */
            "POST /messages": {
                body: components["schemas"]["AddressedMessageInputs"];
                answer: components["schemas"]["Message"] | components["schemas"]["Message"][];
            };
            /** @description Fetch a message. One message, in the shape that `select` and `populate` ask for. Needs scope bot. */
            "GET /messages/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Message"];
            };
            /** @description Change the content of a message. Changes text, actions, items and meta. Webhooks and streams are told. Needs scope bot. */
            "PATCH /messages/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["MessagePatch"];
                answer: components["schemas"]["Message"];
            };
            /** @description Delete a message; cancel one that waits for its time. Deletes a message. One that waits for its time is cancelled. Needs scope admin. */
            "DELETE /messages/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List contacts. A page of the contacts of your organization and those below, by any of their fields. Needs scope agent. */
            "GET /contacts": {
                answer: components["schemas"]["Contact"][];
            };
            /** @description Create a contact. Creates a contact; `Location` says where it is. Needs scope bot. */
            "POST /contacts": {
                body: components["schemas"]["ContactInput"];
                answer: components["schemas"]["Contact"];
            };
            /** @description Fetch a contact. One contact, in the shape that `select` and `populate` ask for. Needs scope bot. */
            "GET /contacts/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Contact"];
            };
            /** @description Change a contact. Changes the fields that the body names, and answers the whole contact; null clears a field that is optional. A nested object or list replaces the stored one as a whole. Needs scope bot. */
            "PATCH /contacts/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ContactPatch"];
                answer: components["schemas"]["Contact"];
            };
            /** @description Delete a contact and its conversation. Deletes a contact, with its conversation and everything in it. Needs scope admin. */
            "DELETE /contacts/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List knowledge items. A page of the knowledge items of your organization and those below, by any of their fields. Needs scope agent. */
            "GET /kbitems": {
                answer: components["schemas"]["KnowledgeItem"][];
            };
            /** @description Create a knowledge item. Creates a knowledge item; `Location` says where it is. Needs scope agent. */
            "POST /kbitems": {
                body: components["schemas"]["KnowledgeItemInput"];
                answer: components["schemas"]["KnowledgeItem"];
            };
            /** @description Fetch a knowledge item. One knowledge item, in the shape that `select` and `populate` ask for. Needs scope agent. */
            "GET /kbitems/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["KnowledgeItem"];
            };
            /** @description Change a knowledge item. Changes the fields that the body names, and answers the whole knowledge item; null clears a field that is optional. A nested object or list replaces the stored one as a whole. Needs scope agent. */
            "PATCH /kbitems/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["KnowledgeItemPatch"];
                answer: components["schemas"]["KnowledgeItem"];
            };
            /** @description Delete a knowledge item. Deletes the knowledge item: from then on it is answered 404. Needs scope bot. */
            "DELETE /kbitems/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List forms. A page of the forms of your organization and those below, by any of their fields. Needs scope bot. */
            "GET /forms": {
                answer: components["schemas"]["Form"][];
            };
            /** @description Create a form. Creates a form; `Location` says where it is. Needs scope bot. */
            "POST /forms": {
                body: components["schemas"]["FormInput"];
                answer: components["schemas"]["Form"];
            };
            /** @description Fetch a form. One form, in the shape that `select` and `populate` ask for. Needs scope admin. */
            "GET /forms/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Form"];
            };
            /** @description Change a form. Changes the fields that the body names, and answers the whole form; null clears a field that is optional. A nested object or list replaces the stored one as a whole. Needs scope bot. */
            "PATCH /forms/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["FormPatch"];
                answer: components["schemas"]["Form"];
            };
            /** @description Delete a form. Deletes the form: from then on it is answered 404. Needs scope admin. */
            "DELETE /forms/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description List channels. A page of the channels of your organization and those below, by any of their fields. Needs scope bot. */
            "GET /channels": {
                answer: components["schemas"]["Channel"][];
            };
            /** @description Create a channel. Creates a channel; `Location` says where it is. Needs scope admin. */
            "POST /channels": {
                body: components["schemas"]["ChannelInput"];
                answer: components["schemas"]["Channel"];
            };
            /** @description Fetch a channel. One channel, in the shape that `select` and `populate` ask for. Needs scope bot. */
            "GET /channels/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Channel"];
            };
            /** @description Change a channel. Changes the fields that the body names, and answers the whole channel; null clears a field that is optional. A nested object or list replaces the stored one as a whole. Needs scope admin. */
            "PATCH /channels/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ChannelPatch"];
                answer: components["schemas"]["Channel"];
            };
            /** @description Delete a channel. Deletes the channel: from then on it is answered 404. Needs scope admin. */
            "DELETE /channels/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Say whether the caller is online in a channel. Says whether the caller, who is a member of the channel, is there. Needs scope agent. */
            "PUT /channels/{id}/online": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ChannelOnline"];
                answer: components["schemas"]["Channel"];
            };
            /** @description List services. A page of the services of your organization and those below, by any of their fields. Needs scope admin. */
            "GET /services": {
                answer: components["schemas"]["Service"][];
            };
            /** @description Register a webhook. Registers a webhook and verifies it: `GET {url}?type=subscribe&challenge={random}` has to be answered with 200. The answer is 201 either way; `status` and `statusReason` say what came of it. Needs scope admin. */
            "POST /services": {
                body: components["schemas"]["ServiceInput"];
                answer: components["schemas"]["Service"];
            };
            /** @description Fetch a service. One service, in the shape that `select` and `populate` ask for. Needs scope admin. */
            "GET /services/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Service"];
            };
            /** @description Change a service. Changes a webhook; `params` is replaced as a whole. A new url is verified. `status`: `disabled` pauses it, `active` verifies it and sends what has waited. Needs scope admin. */
            "PATCH /services/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ServicePatch"];
                answer: components["schemas"]["Service"];
            };
            /** @description Delete a service. Deletes the service: from then on it is answered 404. Needs scope admin. */
            "DELETE /services/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Verify a webhook again. Verifies a webhook again, as its creation does. Needs scope admin. */
            "POST /services/{id}/verify": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Service"];
            };
            /** @description Send a sample to a webhook. Sends a sample right now, whatever the status of the webhook, and answers what came of it. It is not logged and not tried again. Needs scope admin. */
            "POST /services/{id}/test": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["WebhookTest"];
            };
            /** @description Send events to a webhook again. Sends the stored bodies since a time again, newly signed: those of the given status, or those that never arrived. Needs scope admin. */
            "POST /services/{id}/replay": {
                path: {
                    id: string;
                };
                body: components["schemas"]["ReplayInput"];
                answer: components["schemas"]["Replay"];
            };
            /** @description List deliveries. A page of the deliveries to the webhooks of your organization and those below, by any of their fields. Needs scope admin. */
            "GET /deliveries": {
                answer: components["schemas"]["ListedDelivery"][];
            };
            /** @description Fetch a delivery with its attempts. A delivery with its body and every attempt: when, what came of it, and the first 16 KiB of the answer. Needs scope admin. */
            "GET /deliveries/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Delivery"];
            };
            /** @description Send a delivery again. Sends the stored body again, newly signed. Needs scope admin. */
            "POST /deliveries/{id}/retry": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["Delivery"];
            };
            /** @description List event types. A page of the event types of your organization and those below, by any of their fields. Needs scope admin. */
            "GET /eventtypes": {
                answer: components["schemas"]["EventType"][];
            };
            /** @description Create an event type. Creates an event type; `Location` says where it is. Needs scope admin. */
            "POST /eventtypes": {
                body: components["schemas"]["EventTypeInput"];
                answer: components["schemas"]["EventType"];
            };
            /** @description Fetch an event type. One event type, in the shape that `select` and `populate` ask for. Needs scope admin. */
            "GET /eventtypes/{id}": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["EventType"];
            };
            /** @description Change an event type. Changes the fields that the body names, and answers the whole event type; null clears a field that is optional. A nested object or list replaces the stored one as a whole. Needs scope admin. */
            "PATCH /eventtypes/{id}": {
                path: {
                    id: string;
                };
                body: components["schemas"]["EventTypePatch"];
                answer: components["schemas"]["EventType"];
            };
            /** @description Delete an event type. Deletes the event type: from then on it is answered 404. Needs scope admin. */
            "DELETE /eventtypes/{id}": {
                path: {
                    id: string;
                };
            };
            /** @description Set an event type's expression. The body is the JSONata expression itself. One that cannot be parsed is refused (422), with the position and the reason. Needs scope admin. */
            "PUT /eventtypes/{id}/jsonata": {
                path: {
                    id: string;
                };
                /** @description The JSONata expression that makes of an event `{conversation, messages}`, the body of an upsert, a list of these, or nothing. */
                body: string;
                answer: components["schemas"]["EventType"];
            };
            /** @description Show what an event would post. Evaluates a body as an event of this type, and answers what it would post. Nothing is posted. Needs scope admin. */
            "POST /eventtypes/{id}/preview": {
                path: {
                    id: string;
                };
                /** @description What happened: any JSON, as the expression of the event type takes it. */
                body: unknown;
                answer: components["schemas"]["EventPreview"];
            };
            /** @description Run an event type's failed events again. Runs again what has failed (or was ignored) since a time, one after the other in the order of arrival. The answer says how many; it is done whatever dies meanwhile. Needs scope admin. */
            "POST /eventtypes/{id}/retry": {
                path: {
                    id: string;
                };
                body: components["schemas"]["EventTypeRetryInput"];
                answer: components["schemas"]["RetriedEvents"];
            };
            /** @description Fetch an event type's ingest address, without its token. As whom the address posts, and how posts are signed. The address itself is not shown again. Needs scope admin. */
            "GET /eventtypes/{id}/ingest": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["IngestAddress"];
            };
            /** @description Make an address for systems that can only be given a URL; the one before ends. Makes an address (`{PUBLIC_URL}/in/{token}`) for systems that can only be given a URL. A post there is an event of this type by the bot. The address before, and its secret, are refused from then on. Needs scope admin. */
            "POST /eventtypes/{id}/ingest": {
                path: {
                    id: string;
                };
                body: components["schemas"]["IngestAddressInput"];
                answer: components["schemas"]["IngestAddress"];
            };
            /** @description End an event type's ingest address. Ends the address: posts there are answered 404 from then on. Needs scope admin. */
            "DELETE /eventtypes/{id}/ingest": {
                path: {
                    id: string;
                };
            };
            /** @description Show what an expression would make of an event, before it is kept. For editors: what an expression would make of an event while somebody still writes it. Nothing is stored. Needs scope admin. */
            "POST /eventtypes/preview": {
                body: components["schemas"]["ExpressionDraft"];
                answer: components["schemas"]["EventPreview"];
            };
            /** @description List business events. A page of business events, by any of their fields. Bodies above 16 KiB are left out. Needs scope bot. */
            "GET /events": {
                answer: components["schemas"]["BusinessEvent"][];
            };
            /** @description Send a business event that names itself: a CloudEvent. The same for a CloudEvent 1.0 in structured or binary form, whose `type` is the name. Its `id` and `source` are the idempotency key. Needs scope bot. */
            "POST /events": {
                body: components["schemas"]["CloudEvent"];
                answer: components["schemas"]["BusinessEventOutcome"];
            };
            /** @description Fetch a business event. A business event with its body, and what became of it. Needs scope bot. */
            "GET /events/{name}": {
                path: {
                    name: string;
                };
                answer: components["schemas"]["BusinessEvent"];
            };
            /** @description Send a business event. Finds the event type by its name, in your organization or the nearest above; evaluates its expression on the body, and posts the result. The event is stored first. Needs scope bot. */
            "POST /events/{name}": {
                path: {
                    name: string;
                };
                /** @description What happened: any JSON, as the expression of the event type takes it. */
                body: unknown;
                answer: components["schemas"]["BusinessEventOutcome"];
            };
            /** @description Run what no event type was for. Runs what was sent under a name since a time and no event type was for, in the order of arrival. What none is for yet stays as it is. Needs scope bot. */
            "POST /events/retry": {
                body: components["schemas"]["UnroutedRetryInput"];
                answer: components["schemas"]["RetriedEvents"];
            };
            /** @description Run a business event again. Runs a stored event again, by the expression that its type has now. One that has posted is not posted twice. Needs scope bot. */
            "POST /events/{id}/retry": {
                path: {
                    id: string;
                };
                answer: components["schemas"]["BusinessEventOutcome"];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
